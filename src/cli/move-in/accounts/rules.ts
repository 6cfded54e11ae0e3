/** Translates access rules and the catalog mode. */
import { createPath } from '../archive/archive.ts';
import { type Property, readProperties } from '../security/properties.ts';
import type { Move } from '../translate/move.ts';
import type { AccountNames } from './account-names.ts';

interface RuleFile {
  readonly file: string;
  readonly family: 'layers' | 'services' | 'rest';
  /** Returns the rule on the target, or why it is invalid. */
  translate(move: Move, key: string): string | { readonly fault: string };
}

const LAYERS = 'security/layers.properties';

const ruleFiles: readonly RuleFile[] = [
  { file: LAYERS, family: 'layers', translate: translateLayerKey },
  { file: 'security/services.properties', family: 'services', translate: (_, key) => translateServiceKey(key) },
  { file: 'security/rest.properties', family: 'rest', translate: (_, key) => translateRestKey(key) },
];

interface Rule {
  readonly rule: string;
  readonly roles: readonly string[];
}

export async function translateRules(move: Move, names: AccountNames): Promise<void> {
  for (const ruleFile of ruleFiles) {
    const text = await move.documents.readText(ruleFile.file, 'accessRules');
    if (text === undefined) continue;
    const properties = readProperties(text);
    if (ruleFile.file === LAYERS) translateMode(move, properties);
    const rules = new Map<string, Rule>();
    for (const property of properties) {
      if (ruleFile.file === LAYERS && settings.has(property.key)) continue;
      const rule = translateRule(move, ruleFile, property, names);
      if (rule !== undefined) rules.set(rule.rule, rule);
    }
    const list = [...rules.values()].map(({ rule, roles }) => ({ rule, roles }));
    const ordered = ruleFile.family === 'rest' ? list : list.sort(compareRules);
    const path = createPath('security', 'acl', ruleFile.family);
    move.archive.add('accessRules', path, { rules: ordered }, { source: ruleFile.file });
  }
}

const settings: ReadonlySet<string> = new Set(['mode', 'filesystemSandbox']);

function translateMode(move: Move, properties: readonly Property[]): void {
  const sandbox = properties.find(({ key }) => key === 'filesystemSandbox');
  if (sandbox !== undefined) {
    const source = `${LAYERS}#filesystemSandbox`;
    move.report.add(
      'setting-ignored',
      { source },
      'The directory of the sandbox is not imported.',
      'Use --data-roots.',
    );
  }
  const written = properties
    .find(({ key }) => key === 'mode')
    ?.value.trim()
    .toUpperCase();
  if (written === undefined) return;
  const source = `${LAYERS}#mode`;
  const path = createPath('security', 'acl', 'catalog');
  if (['HIDE', 'MIXED', 'CHALLENGE'].includes(written)) {
    move.archive.add('catalogMode', path, { mode: written }, { source });
  } else {
    move.report.add('rule-invalid', { source, kind: 'catalogMode', path }, `The mode '${written}' is unknown.`);
  }
}

function translateRule(
  move: Move,
  { file, family, translate }: RuleFile,
  { key, value }: Property,
  names: AccountNames,
): Rule | undefined {
  const subject = { source: `${file}#${key}`, kind: 'accessRules', path: createPath('security', 'acl', family) };
  const rule = translate(move, key);
  const written = value
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
  if (typeof rule !== 'string' || written.length === 0) {
    const fault = typeof rule === 'string' ? 'it has no roles' : rule.fault;
    move.report.add('rule-invalid', subject, `The rule is invalid: ${fault}.`);
    return undefined;
  }
  const isOpen = written.includes('*') || written.includes('ROLE_ANONYMOUS');
  if (family === 'rest' && isOpen && /[:,](?:POST|PUT|DELETE)(?:,|$)/.test(rule) && !move.options.opensRestRules) {
    const remedy = 'Use --open-rest-rules to import it, or restrict it on the old server.';
    move.report.add('rest-rule-open', subject, 'The rule lets anonymous users change the configuration.', remedy);
    return undefined;
  }
  for (const role of written.filter((each) => !names.isKnownRole(each))) {
    move.report.add('role-unknown', subject, `The role '${role}' of the rule does not exist.`);
  }
  const roles = written.includes('*') ? ['*'] : [...new Set(written.map((role) => names.getRole(role)))];
  return { rule, roles };
}

/** `workspace.layer.mode`, or `group.mode` for a global layer group. */
function translateLayerKey({ index, options: { renames } }: Move, key: string): string | { readonly fault: string } {
  const parts = key.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.').trim());
  const mode = parts.at(-1) ?? '';
  if (parts.length < 2 || parts.length > 3 || parts.includes(''))
    return { fault: 'it needs a workspace, a layer and a mode' };
  if (!['r', 'w', 'a'].includes(mode)) return { fault: `the mode '${mode}' is unknown` };
  const [first = '', second = ''] = parts;
  if (parts.length === 2) return `${escapeDots(renames.get('group', first))}.${mode}`;
  if (first === '*' && second !== '*') return { fault: 'a rule for all workspaces must apply to all layers' };
  if (mode === 'a' && second !== '*') return { fault: 'a rule for administrators must apply to all layers' };
  const workspace = first === '*' ? '*' : renames.get('workspace', first);
  const isGroup = second !== '*' && index.findNamedLayer('layerGroup', second, first) !== undefined;
  const layer = second === '*' ? '*' : renames.get(isGroup ? 'group' : 'layer', second, first);
  return `${escapeDots(workspace)}.${escapeDots(layer)}.${mode}`;
}

function escapeDots(name: string): string {
  return name.replaceAll('.', '\\.');
}

/** `service.method`; a service alone means all its methods. */
function translateServiceKey(key: string): string | { readonly fault: string } {
  const parts = key.trim().split('.');
  const [service = '', method = '*'] = parts;
  if (parts.length > 2 || service === '' || method === '' || /[\s/\\]/.test(key.trim()))
    return { fault: 'it needs a service and a method' };
  return service === '*' && method !== '*'
    ? { fault: 'a rule for all services must apply to all methods' }
    : `${service}.${method}`;
}

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']);

/** `/rest/path;GET,HEAD` */
function translateRestKey(key: string): string | { readonly fault: string } {
  const at = Math.max(key.lastIndexOf(';'), key.lastIndexOf(':'));
  const path = key.slice(0, at).trim();
  const named = key
    .slice(at + 1)
    .split(',')
    .map((method) => method.trim());
  if (at < 1 || !path.startsWith('/')) return { fault: 'it needs a path and methods' };
  const unknown = named.find((method) => !methods.has(method));
  const segments = path.split('/').filter((segment) => segment !== '');
  return unknown === undefined
    ? `/${segments.join('/').toLowerCase()}:${[...new Set(named)].join(',')}`
    : { fault: `the method '${unknown}' is unknown` };
}

/** Stars first, then by name, and the modes as read, write, administer. */
function compareRules({ rule: one }: Rule, { rule: other }: Rule): number {
  const a = one.split(/(?<!\\)\./);
  const b = other.split(/(?<!\\)\./);
  const isLayer = a.length === 3 && b.length === 3;
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [left = '', right = ''] = [a[index], b[index]];
    if (left === right) continue;
    if (isLayer && index === 2) return 'rwa'.indexOf(left) - 'rwa'.indexOf(right);
    return left === '*' || (right !== '*' && left < right) ? -1 : 1;
  }
  return 0;
}
