// Asks `pawl practice` for everything it has, once well and where it matters once badly. The answers are in its record.
// Usage: node drive.mjs LINE — the line that the server printed when it began to listen.
const {at, token} = JSON.parse(process.argv[2]);
const repo = '/repos/acme/tools';

async function ask(method, path, body, {as = token, headers = {}, expect} = {}) {
  const answer = await fetch(at + path, {
    method,
    headers: {...(as ? {authorization: `Bearer ${as}`} : {}), 'content-type': 'application/json', ...headers},
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (expect !== undefined && answer.status !== expect) {
    console.error(`${method} ${path}: ${answer.status}, expected ${expect}: ${text.slice(0, 300)}`);
    process.exitCode = 1;
  }
  return {status: answer.status, headers: answer.headers, body: text && answer.status !== 204 ? JSON.parse(text) : null};
}
const get = (path, expect = 200) => ask('GET', path, undefined, {expect});

await ask('GET', '/user', undefined, {as: '', expect: 401});
await ask('GET', '/user', undefined, {as: 'wrong', expect: 401});
for (const path of ['/user', '/users/ann', '/rate_limit', repo, `${repo}/labels`, `${repo}/pulls`, `${repo}/pulls?state=all`,
  `${repo}/pulls?head=acme:topic-3&state=open`, `${repo}/pulls/3`, `${repo}/pulls/4`, `${repo}/pulls/7`, `/api/v3${repo}/pulls/3`,
  `${repo}/pulls/3/files`, `${repo}/pulls/3/commits`, `${repo}/pulls/3/comments`, `${repo}/pulls/3/reviews`,
  `${repo}/issues`, `${repo}/issues?state=all&labels=bug`, `${repo}/issues/1`, `${repo}/issues/3`, `${repo}/issues/1/comments`,
  `${repo}/issues/3/comments?per_page=10&page=2`, `${repo}/activity`, `${repo}/activity?ref=topic-3`,
  `${repo}/collaborators/octocat/permission`, `${repo}/collaborators/ben/permission`]) {
  await get(path);
}
await get('/orgs/acme/members/ann', 204);
await get('/orgs/acme/members/ben', 404);
await get(`${repo}/pulls/99`, 404);
await get('/repos/acme/nothing', 404);
await get(`${repo}/pulls/7/merge`, 204);
await get(`${repo}/pulls/5/merge`, 404);
const first = await get(`${repo}/pulls/3`);
await ask('GET', `${repo}/pulls/3`, undefined, {headers: {'if-none-match': first.headers.get('etag')}, expect: 304});
const sha = first.body.head.sha;
for (const path of ['check-runs', 'check-runs?check_name=build', 'status', 'statuses']) await get(`${repo}/commits/${sha}/${path}`);
await get(`${repo}/commits/${sha}`);
await get(`${repo}/commits/main`);
await get(`${repo}/commits/nothing`, 422);
await get(`${repo}/compare/main...${sha}`);
await get(`${repo}/compare/${sha}...main`);
await get(`${repo}/compare/main...nothing`, 404);

await ask('POST', '/_practice/repos/acme/tools/pulls/3/runs', {path: '.github/workflows/a.yml', conclusion: 'cancelled'});
await get(`${repo}/actions/runs?head_sha=${sha}&per_page=100`);

const comment = await ask('POST', `${repo}/issues/3/comments`, {body: 'New'}, {expect: 201});
await get(`${repo}/issues/comments/${comment.body.id}`);
await ask('PATCH', `${repo}/issues/comments/${comment.body.id}`, {body: 'Newer'}, {expect: 200});
await ask('DELETE', `${repo}/issues/comments/${comment.body.id}`, undefined, {expect: 204});
await ask('POST', `${repo}/issues/3/comments`, {body: 'x'.repeat(65537)}, {expect: 422});
await ask('POST', `${repo}/issues/3/comments`, {body: 'no'}, {as: 'weak', expect: 403});
await ask('POST', `${repo}/issues`, {title: 'One more'}, {expect: 201});
await ask('PATCH', `${repo}/issues/1`, {state: 'closed'}, {expect: 200});

const place = {path: 'a.txt', line: 2, side: 'RIGHT', body: 'Here'};
const noted = await ask('POST', `${repo}/pulls/3/comments`, {...place, commit_id: sha}, {expect: 201});
await ask('POST', `${repo}/pulls/3/comments`, {...place, line: 77, commit_id: sha}, {expect: 422});
await ask('POST', `${repo}/pulls/3/comments`, {body: 'In reply', in_reply_to: noted.body.id}, {expect: 201});
await ask('POST', `${repo}/pulls/3/comments/${noted.body.id}/replies`, {body: 'Reply'}, {expect: 201});
await get(`${repo}/pulls/comments/${noted.body.id}`);
await ask('PATCH', `${repo}/pulls/comments/${noted.body.id}`, {body: 'Edited'}, {expect: 200});
const review = {commit_id: sha, event: 'COMMENT', body: 'Review'};
await ask('POST', `${repo}/pulls/3/reviews`, {...review, comments: [{...place, start_line: 1, start_side: 'RIGHT'}]}, {expect: 200});
await ask('POST', `${repo}/pulls/3/reviews`, {...review, comments: [place, {...place, line: 500}]}, {expect: 422});
const approved = await ask('POST', `${repo}/pulls/3/reviews`, {event: 'APPROVE'}, {expect: 200});
await ask('PUT', `${repo}/pulls/3/reviews/${approved.body.id}`, {body: 'Changed'}, {expect: 200});
await ask('DELETE', `${repo}/pulls/comments/${noted.body.id}`, undefined, {expect: 204});
await ask('POST', `${repo}/statuses/${sha}`, {state: 'success', context: 'ci/new', description: 'Done'}, {expect: 201});
await ask('POST', `${repo}/statuses/${sha}`, {state: 'purple'}, {expect: 422});
const made = await ask('POST', `${repo}/pulls`, {title: 'Spare', head: 'spare', base: 'main', draft: true}, {expect: 201});
await ask('POST', `${repo}/pulls`, {title: 'Spare', head: 'spare', base: 'main'}, {expect: 422});
await ask('PATCH', `${repo}/pulls/${made.body.number}`, {title: 'Spare part', state: 'closed'}, {expect: 200});
await ask('PUT', `${repo}/pulls/6/merge`, {}, {expect: 405});
await ask('PUT', `${repo}/pulls/5/merge`, {sha: '0'.repeat(40)}, {expect: 409});
await ask('PUT', `${repo}/pulls/5/merge`, {merge_method: 'merge'}, {expect: 200});

async function query(text, variables = {}, well = true) {
  const answer = await ask('POST', '/graphql', {query: text, variables}, {expect: 200});
  if (well === Boolean(answer.body.errors)) {
    console.error(`graphql ${text.slice(0, 80)}: ${JSON.stringify(answer.body.errors)}`);
    process.exitCode = 1;
  }
  return answer.body.data;
}
const who = '{__typename login url avatarUrl ... on User{id name databaseId} ... on Bot{id} ... on Organization{id name}}';
const page = 'pageInfo{hasNextPage hasPreviousPage startCursor endCursor} totalCount';
const talk = `id databaseId fullDatabaseId body bodyText createdAt updatedAt publishedAt includesCreatedEdit isMinimized minimizedReason
  authorAssociation viewerDidAuthor url author${who} reactionGroups{content users(first:1){totalCount} reactors{totalCount}}`.replace('users(first:1)', 'users');
const pull = await query(`query Pull($n: Int!) { repository(owner: "acme", name: "tools") {
  id databaseId name nameWithOwner url sshUrl description isPrivate isFork isArchived isEmpty createdAt updatedAt pushedAt
  hasIssuesEnabled mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed viewerPermission viewerDefaultMergeMethod
  owner{__typename id login} parent{id} defaultBranchRef{name prefix target{oid}} ref(qualifiedName:"refs/heads/spare"){name}
  refs(refPrefix:"refs/heads/", first: 5){nodes{name} ${page}} labels(first:5){nodes{id name color description} ${page}}
  milestones(first:1){totalCount} assignableUsers(first:3){nodes{login}} object(expression:"main"){__typename oid ... on Commit{message}}
  pullRequest(number: $n) { id number title body bodyText state isDraft url permalink headRefName headRefOid baseRefName baseRefOid
    mergeable mergeStateStatus reviewDecision author${who} authorAssociation additions deletions changedFiles createdAt updatedAt
    closedAt mergedAt merged closed locked isCrossRepository maintainerCanModify fullDatabaseId viewerDidAuthor viewerCanUpdate
    isInMergeQueue isMergeQueueEnabled autoMergeRequest{enabledAt} mergedBy{login} mergeCommit{oid} potentialMergeCommit{oid}
    headRepository{id name} headRepositoryOwner{__typename id login} headRef{name} baseRef{name branchProtectionRule{id}}
    milestone{number title} reactionGroups{content users{totalCount}} projectItems(first:1){nodes{id project{id title}} totalCount}
    labels(first:5){nodes{id name color description} totalCount} assignees(first:5){nodes{id login name} totalCount}
    reviewRequests(first:5){nodes{id asCodeOwner requestedReviewer{__typename ... on User{login} ... on Team{slug}}}}
    files(first:10){nodes{path additions deletions changeType viewerViewedState} ${page}}
    comments(first:30){nodes{${talk} issue{number} pullRequest{number}} edges{cursor node{id}} ${page}}
    reviews(first:20){nodes{${talk} state submittedAt commit{oid} pullRequest{number} comments(first:3){nodes{id}}} ${page}}
    latestReviews(first:5){nodes{id state}}
    reviewThreads(first:20){nodes{id isResolved isOutdated isCollapsed path line originalLine startLine originalStartLine diffSide
      startDiffSide subjectType viewerCanResolve viewerCanUnresolve viewerCanReply resolvedBy{login} pullRequest{number}
      comments(first:5){nodes{${talk} path line startLine originalLine diffHunk outdated state subjectType commit{oid}
        originalCommit{oid} replyTo{id} pullRequest{number} pullRequestReview{id}} ${page}}} ${page}}
    commits(last:1){nodes{id url commit{id oid abbreviatedOid message messageHeadline messageBody authoredDate committedDate url
      author{name email date user{login}} committer{name email date} authors(first:2){nodes{name email user{login}}}
      statusCheckRollup{id state contexts(first:20){nodes{__typename
        ... on CheckRun{id databaseId name status conclusion startedAt completedAt detailsUrl url title summary text
          isRequired(pullRequestNumber:$n) checkSuite{id app{name} workflowRun{event workflow{name}}}}
        ... on StatusContext{id context state description targetUrl createdAt isRequired(pullRequestNumber:$n) creator{login}}} ${page}}}}} ${page}}
  }}}`, {n: 3});
await query(`query Fork { repository(owner:"acme",name:"tools"){ pullRequest(number:4){ isCrossRepository headRepository{nameWithOwner parent{name}} } } }`);
await query(`query Lists($after: String) { viewer{id login} rateLimit{limit cost remaining resetAt used} user(login:"ann"){id}
  organization(login:"acme"){id name} repository(owner:"acme",name:"tools"){
  pullRequests(first:2, after:$after, states:[OPEN,MERGED], orderBy:{field:CREATED_AT,direction:DESC}){nodes{number state} ${page}}
  byHead: pullRequests(first:2, headRefName:"topic-3"){nodes{number}}
  issues(first:5, states:OPEN){nodes{number state stateReason isPinned title author{login} comments(first:1){totalCount}} ${page}}
  issue(number:1){id number state stateReason comments(first:5){nodes{${talk}} ${page}}}
  issueOrPullRequest(number:3){__typename ... on PullRequest{number} ... on Issue{number}} } }`);
await query(`query Bad { repository(owner:"acme",name:"tools"){ nonsense } }`, {}, false);
await query(`query Missing { repository(owner:"acme",name:"tools"){ pullRequest(number:999){ id } } }`, {}, false);
const id = pull.repository.pullRequest.id;
const label = pull.repository.labels.nodes[0].id;
const thread = pull.repository.pullRequest.reviewThreads.nodes[0].id;
const change = (name, type, input, wanted) =>
  query(`mutation ${name}($input: ${type}!) { ${name}(input: $input) { clientMutationId ${wanted} } }`, {input});
const capital = (name) => name[0].toUpperCase() + name.slice(1) + 'Input';
const does = (name, input, wanted) => change(name, capital(name), input, wanted);
const added = await does('addComment', {subjectId: id, body: 'Hi'}, `commentEdge{cursor node{id url body}} subject{id}`);
const commentId = added.addComment.commentEdge.node.id;
await query(`query Node($id: ID!) { node(id:$id){ __typename id ... on IssueComment{body} } }`, {id: commentId});
await does('updateIssueComment', {id: commentId, body: 'Ho'}, 'issueComment{id body}');
await does('deleteIssueComment', {id: commentId}, '');
await does('addLabelsToLabelable', {labelableId: id, labelIds: [label]}, 'labelable{labels(first:5){nodes{name}}}');
await does('removeLabelsFromLabelable', {labelableId: id, labelIds: [label]}, 'labelable{labels(first:5){nodes{name}}}');
const filed = await does('createIssue', {repositoryId: pull.repository.id, title: 'Filed'}, 'issue{id number title}');
await does('closeIssue', {issueId: filed.createIssue.issue.id}, 'issue{id state stateReason}');
await does('reopenIssue', {issueId: filed.createIssue.issue.id}, 'issue{id state}');
await query(`query Search { search(query:"repo:acme/tools is:pr state:open", type: ISSUE, first: 5){ issueCount
  pageInfo{hasNextPage endCursor} nodes{__typename ... on PullRequest{number title}} edges{cursor node{__typename}} } }`);
await does('addPullRequestReviewThreadReply', {pullRequestReviewThreadId: thread, body: 'Yes'}, 'comment{id body}');
await does('resolveReviewThread', {threadId: thread}, 'thread{id isResolved resolvedBy{login}}');
await does('unresolveReviewThread', {threadId: thread}, 'thread{id isResolved}');
await does('addPullRequestReview', {pullRequestId: id, event: 'COMMENT', body: 'So',
  threads: [{path: 'a.txt', line: 2, side: 'RIGHT', body: 'There'}]}, 'pullRequestReview{id state}');
const opened = await does('createPullRequest', {repositoryId: pull.repository.id, title: 'Too', body: '', headRefName: 'spare-too',
  baseRefName: 'main', draft: true}, 'pullRequest{id number isDraft url}');
const newer = opened.createPullRequest.pullRequest.id;
await does('markPullRequestReadyForReview', {pullRequestId: newer}, 'pullRequest{id isDraft}');
await does('convertPullRequestToDraft', {pullRequestId: newer}, 'pullRequest{id isDraft}');
await does('closePullRequest', {pullRequestId: newer}, 'pullRequest{id state}');
await does('reopenPullRequest', {pullRequestId: newer}, 'pullRequest{id state}');
await does('updatePullRequest', {pullRequestId: newer, title: 'Also'}, 'pullRequest{id title} actor{login}');
await does('markPullRequestReadyForReview', {pullRequestId: newer}, 'pullRequest{id isDraft}');
await does('mergePullRequest', {pullRequestId: newer, mergeMethod: 'MERGE'}, 'pullRequest{id state mergedBy{login}} actor{login}');
