"""Answers JSON lines with what the model of the merge makes of each: python3 merge_model.py FOLDER_OF_THE_MODEL < cases.

A line is a merge, a history of one record ("before"), what a look finds at a path ("exists"), or the name of a lifecycle ("declared")."""
import json
import sys
sys.path.insert(0, sys.argv[1])
import formats
import merge as m

model_chooses = m.choose_base

def choose_base(known, theirs):
    """MERGE.md, Choosing the base, 5: exactly an older image is an old copy if a command wrote since. The model takes what was only
    added since for removed by hand."""
    same = [not m.differing(m.cells(image.content), m.cells(theirs)) and image.content.order() == theirs.order() for image in known[-m.MAX_IMAGES:]]
    if any(same) and not same[-1]:
        at = max(i for i, is_same in enumerate(same) if is_same)
        since = known[-m.MAX_IMAGES:][at + 1:]
        return known[-m.MAX_IMAGES:][at].content if any(image.command for image in since) else known[-1].content
    return model_chooses(known, theirs)

m.choose_base = choose_base

def lifecycle(law):
    moves = {(move['from'], move['to']): tuple(move['gates']) for move in law['moves']}
    return m.Lifecycle(law['name'], law['statuses'], moves, tuple(law['starts']), default=law['default'], rules=law['rules'],
                       file_rules=law['file_rules'], identities=law['identities'], trusts_new=law['trusts_new'],
                       on_missing=law['on_missing'], on_return=law['on_return'])

def content(shown):
    entries = {e['key']: m.Entry(e['key'], e['status'], e['members']) for e in shown['entries']}
    return m.Content(shown['owner'], entries, shown['file'])

def record(found, owner='one'):
    return found and m.Record('path', owner, found['key'], found['status'], found['members'], found['state'], found['unverified'],
                              found['removed_by'])

def gate_met(before, gate, members, siblings):
    if gate == 'criteria':
        return m.same(members.get('ok'), True)
    if gate == 'pr':
        return 'prNumber' in before.members
    return gate == 'alone' and all(key == before.key or other.status != 'in-progress' for key, other in siblings.items())

def shown(found):
    return {name: getattr(found, name) for name in ('key', 'status', 'members', 'state', 'unverified', 'removed_by')}

def conflict(c):
    out = {'key': c.key, 'member': c.member, 'code': c.code}
    nothing = (m.ABSENT, None) if c.member == m.PRESENCE else (m.ABSENT,)      # the model has null for no record
    for name in ('ours', 'theirs'):
        if not any(getattr(c, name) is value for value in nothing):
            out[name] = getattr(c, name)
    if c.group:
        out['group'] = [{'member': name} | ({} if value is m.ABSENT else {'theirs': value}) for name, value in c.group]
    return out

CODES = {'restore': 'restored', 'remove': 'removed'}

def outcome(out):
    waiting = {(c.key, name) for c in out.conflicts for name, _ in c.group}
    notes = [('/', '', note[0]) if note[0] == 'old_copy' else (note[1], note[2] if len(note) > 2 else '', CODES.get(note[0], note[0]))
             for note in out.notes]
    notes = [note for note in notes if note[2] != 'member_removed' or note[:2] not in waiting]     # it was not removed
    assert sorted(out.taken) == sorted(row[:2] for row in out.rows if row[2] in ('take', 'unverified')), (out.taken, out.rows)
    return {'records': [shown(r) for r in out.records.values()], 'conflicts': [conflict(c) for c in out.conflicts],
            'notes': notes, 'rows': out.rows, 'file': out.file, 'order': out.order}

def merged(case):
    life, theirs = lifecycle(case['law']), content(case['theirs'])
    policy = m.Policy(case['take_whole'], case['gates'])
    ours = {r['key']: record(r) for r in case['ours']}
    context = m.Context('path', policy, case['file'], case['order'], gate_met, case['first_look'], frozenset(case['elsewhere']),
                        case['last_shown'])
    if case['without_base']:
        return outcome(m.merge(life, None, ours, theirs, context))
    known = [m.Image(0, '', 'one', True, content(i['content']), i['command']) for i in case['images']]
    return outcome(m.merge_file(life, known, ours, theirs, context))

def reverted(case):
    back = m.revert(*(record(case[name]) for name in ('before', 'after', 'now')))
    return {'refused': back is m.ABSENT, 'record': None if back is m.ABSENT or back is None else shown(back)}

def judged(case):
    text = 'found' if case['exists'] else None
    before = text if case['equals_before'] else 'before' if case['before_is_theirs'] else m.ABSENT
    m.all_over = lambda c: case['all_over']
    found = m.FileCase(None, m.Policy(case['take_whole']), text, text if case['equals_newest'] else 'newest', case['in_use'],
                       case['displaced'], before, 'one' if case['before_is_theirs'] else 'two', case['git'],
                       'elsewhere' if case['moved_here'] else '', m.Content('one', {}, {}), case['damage'], case['another'])
    return m.first_row(m.FILE_ROWS, found).name

def declared(case):
    life = formats.LIFECYCLES[case['declared']]
    moves = [{'from': old, 'to': new, 'gates': gates} for (old, new), gates in life.moves.items()]
    names = ('name', 'statuses', 'starts', 'default', 'rules', 'file_rules', 'identities', 'trusts_new', 'on_missing', 'on_return')
    return {'moves': moves, **{name: getattr(life, name) for name in names}}

for line in sys.stdin:
    case = json.loads(line)
    answer = declared(case) if 'declared' in case else judged(case) if 'exists' in case else reverted(case) if 'before' in case else merged(case)
    print(json.dumps(answer))
