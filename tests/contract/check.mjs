// Reads a record of `pawl practice --record` and holds every answer against GitHub's own description of its API: REST
// against the OpenAPI document, GraphQL queries against the schema and their answers against the query's types.
// Usage: node check.mjs FOLDER_WITH_NODE_MODULES RECORD
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';

const [, , folder, record] = process.argv;
const require = createRequire(path.resolve(folder, 'package.json'));
const Ajv = require('ajv').default ?? require('ajv');
const addFormats = require('ajv-formats').default ?? require('ajv-formats');
const graphql = require('graphql');
const modules = path.resolve(folder, 'node_modules');
const openapi = JSON.parse(fs.readFileSync(path.join(modules, '@octokit/openapi/generated/api.github.com.json')));
const schema = graphql.buildSchema(
  fs.readFileSync(path.join(modules, '@octokit/graphql-schema/schema.graphql'), 'utf8'), {assumeValidSDL: true});

// OpenAPI 3.0 says `nullable: true` where JSON Schema says `type: [..., "null"]`.
function converted(node) {
  if (Array.isArray(node)) return node.map(converted);
  if (node === null || typeof node !== 'object') return node;
  const out = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'nullable' || key === 'example' || key === 'examples' || key === 'discriminator') continue;
    out[key] = key === 'enum' || key === 'const' ? value : converted(value);
  }
  if (node.nullable !== true) return out;
  if (typeof out.type === 'string') {
    if (out.enum && !out.enum.includes(null)) out.enum = [...out.enum, null];
    return {...out, type: [out.type, 'null']};
  }
  return {anyOf: [out, {type: 'null'}]};
}

const ajv = new Ajv({strict: false, allErrors: true, validateFormats: true});
addFormats(ajv);
ajv.addFormat('repo.nwo', true);
ajv.addFormat('timestamp', true);
// A link may be a template ("…{/sha}"), which is no URI.
ajv.addFormat('uri', /^[a-z]+:\/\/\S+$|^git@\S+$/);
ajv.addSchema({$id: 'github', components: {schemas: converted(openapi.components.schemas)}});
const absolute = (node) => JSON.parse(JSON.stringify(node).replaceAll('"#/components/', '"github#/components/'));
const resolved = (node) =>
  node?.$ref ? node.$ref.split('/').slice(1).reduce((at, key) => at[key], openapi) : node;

const routes = Object.entries(openapi.paths).map(([template, methods]) => ({
  template,
  methods,
  fixed: template.split('/').filter((part) => part && !part.startsWith('{')).length,
  pattern: new RegExp('^' + template.replace(/\{(\w+)\}/g, (_, name) => (name === 'ref' ? '(.+)' : '([^/]+)')) + '$'),
})).sort((a, b) => b.fixed - a.fixed);

const validators = new Map();
function validatorOf(method, template, status, answer) {
  const key = `${method} ${template} ${status}`;
  if (!validators.has(key)) {
    const wanted = answer?.content?.['application/json']?.schema;
    validators.set(key, wanted ? ajv.compile(absolute(converted(wanted))) : null);
  }
  return validators.get(key);
}

const problems = [];
const seen = new Set();
const nothing = (body) => body === null || body === undefined;

function checkRest(line) {
  const where = `${line.method} ${line.path} ${line.status}`;
  const at = line.path.replace(/^\/api\/v3/, '') || '/';
  if (line.status === 401 || (line.status === 404 && line.method !== 'GET')) return basicError(where, line.body);
  const route = routes.find((one) => one.pattern.test(at) && one.methods[line.method.toLowerCase()]);
  if (!route) return line.status === 404 ? basicError(where, line.body) : problems.push(`${where}: GitHub has no such operation`);
  const operation = route.methods[line.method.toLowerCase()];
  seen.add(`${line.method} ${route.template}`);
  const answer = resolved(operation.responses[String(line.status)]);
  if (!answer) {
    if (line.status >= 400) return basicError(where, line.body);
    return problems.push(`${where}: the operation has no such status (${Object.keys(operation.responses).join(', ')})`);
  }
  const validate = validatorOf(line.method, route.template, line.status, answer);
  if (!validate) {
    if (!nothing(line.body) && line.status < 300) problems.push(`${where}: a body where GitHub sends none`);
    return;
  }
  if (!validate(line.body)) {
    for (const error of validate.errors.slice(0, 5)) problems.push(`${where}: ${error.instancePath} ${error.message}`);
  }
}

function basicError(where, body) {
  if (typeof body?.message !== 'string') problems.push(`${where}: no message in the body`);
}

// Does a value fit the type that the schema gives it? Walks query and answer together.
function checkValue(type, node, value, at, document, out) {
  if (graphql.isNonNullType(type)) {
    if (nothing(value)) return out.push(`${at}: null, though the schema forbids it`);
    return checkValue(type.ofType, node, value, at, document, out);
  }
  if (nothing(value)) return;
  if (graphql.isListType(type)) {
    if (!Array.isArray(value)) return out.push(`${at}: not a list`);
    return value.forEach((one, i) => checkValue(type.ofType, node, one, `${at}[${i}]`, document, out));
  }
  if (graphql.isLeafType(type)) {
    if (graphql.isEnumType(type) && !type.getValue(value)) out.push(`${at}: ${JSON.stringify(value)} is no ${type.name}`);
    if (type.name === 'Int' && (!Number.isInteger(value) || Math.abs(value) > 2147483647)) out.push(`${at}: no Int`);
    if (type.name === 'Boolean' && typeof value !== 'boolean') out.push(`${at}: no Boolean`);
    if (['String', 'ID', 'URI', 'DateTime', 'GitObjectID', 'BigInt'].includes(type.name) && typeof value !== 'string') {
      out.push(`${at}: no ${type.name}`);
    }
    if (type.name === 'DateTime' && Number.isNaN(Date.parse(value))) out.push(`${at}: no DateTime`);
    return;
  }
  checkSelections(type, node.selectionSet, value, at, document, out);
}

function checkSelections(type, set, value, at, document, out) {
  const given = value.__typename;
  for (const one of set.selections) {
    if (one.kind === 'Field') {
      const alias = one.alias?.value ?? one.name.value;
      if (one.name.value.startsWith('__')) continue;
      const field = type.getFields?.()[one.name.value];
      if (!field) continue;
      if (!(alias in value)) {
        if (!one.directives?.length) out.push(`${at}.${alias}: missing`);
        continue;
      }
      checkValue(field.type, one, value[alias], `${at}.${alias}`, document, out);
      continue;
    }
    const fragment = one.kind === 'FragmentSpread'
      ? document.definitions.find((d) => d.kind === 'FragmentDefinition' && d.name.value === one.name.value) : one;
    const condition = fragment.typeCondition ? schema.getType(fragment.typeCondition.name.value) : type;
    if (given && graphql.isObjectType(condition) && condition.name !== given) continue;
    if (!given && graphql.isAbstractType(type)) continue;
    checkSelections(condition, fragment.selectionSet, value, at, document, out);
  }
}

function checkGraphql(line) {
  const {query} = line.graphql;
  const name = /(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? query.slice(0, 60).replace(/\s+/g, ' ');
  let document;
  try {
    document = graphql.parse(query);
  } catch (error) {
    return Array.isArray(line.body?.errors) ? undefined : problems.push(`graphql ${name}: ${error.message}`);
  }
  const wrong = graphql.validate(schema, document);
  if (wrong.length > 0) {
    // Both must refuse it; what the server took and GitHub would not is a difference.
    if (Array.isArray(line.body?.errors) && nothing(line.body.data)) return;
    return wrong.forEach((error) => problems.push(`graphql ${name}: ${error.message}`));
  }
  const refused = Array.isArray(line.body?.errors);
  if (refused && nothing(line.body.data)) return problems.push(`graphql ${name}: refused: ${line.body.errors[0].message}`);
  seen.add(`graphql ${name}`);
  if (refused) return line.body.errors.forEach((error) => {
    if (typeof error.message !== 'string') problems.push(`graphql ${name}: an error without a message`);
  });
  const operation = document.definitions.find((one) => one.kind === 'OperationDefinition');
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const out = [];
  checkSelections(root, operation.selectionSet, line.body.data, name, document, out);
  out.slice(0, 10).forEach((problem) => problems.push(`graphql ${problem}`));
}

const lines = fs.readFileSync(record, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
for (const line of lines) {
  if (line.status === 304) continue;
  if (line.graphql && line.status === 200) checkGraphql(line);
  else if (!line.graphql) checkRest(line);
}
console.log(`${lines.length} answers, ${seen.size} operations`);
if (seen.size === 0) problems.push('the record is empty');
if (problems.length > 0) {
  console.log(`${problems.length} that do not fit:`);
  for (const problem of new Set(problems)) console.log(`  ${problem}`);
  process.exit(1);
}
console.log('all fit');
