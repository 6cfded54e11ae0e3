import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anonymous, type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { type AccessRequest, type Decision, decideAccess, isListed } from './decide-access.ts';
import { type AccessMode, createLayerRules, type LayerRule, parseLayerKey } from './layer-rules.ts';
import { type CatalogMode, catalogModes } from './rule-records.ts';

const user = (...roles: readonly string[]): Principal => ({ name: 'ann', roles: new Set(roles) });

function rulesFrom(rules: Readonly<Record<string, string>>): readonly LayerRule[] {
  return Object.entries(rules).map(([key, roles]) => ({ ...parseLayerKey(key), roles: roles.split(',') }));
}

interface Case {
  readonly rules?: Readonly<Record<string, string>>;
  readonly who?: Principal;
  readonly at?: string;
  readonly mode?: AccessMode;
  readonly catalogMode?: CatalogMode;
}

/** `at` is `workspace.layer`, `workspace`, or nothing for what lives in no workspace. */
function question({ rules = {}, who = user('ROLE_A'), at = '', mode = 'read', catalogMode = 'HIDE' }: Case) {
  const [workspace, layer] = at.split('.');
  return {
    principal: who,
    rules: createLayerRules(rulesFrom(rules)),
    catalogMode,
    workspace: workspace || null,
    layer: layer ?? null,
    mode,
  };
}

describe('the decision', () => {
  const cases: readonly (readonly [what: string, asked: Case, decision: Decision])[] = [
    ['without rules anyone may read', { who: anonymous, at: 'topp.states' }, 'allow'],
    ['without rules only administrators write', { at: 'topp.states', mode: 'write' }, 'challenge'],
    ['without rules only administrators administer', { at: 'topp', mode: 'admin' }, 'hide'],
    ['a star lets anyone in', { rules: { '*.*.r': '*' }, who: anonymous, at: 'topp.states' }, 'allow'],
    ['a role lets in who has it', { rules: { '*.*.r': 'ROLE_A' }, at: 'topp.states' }, 'allow'],
    ['a role keeps out who has it not', { rules: { '*.*.r': 'ROLE_B' }, at: 'topp.states' }, 'hide'],
    ['one role of several is enough', { rules: { '*.*.r': 'ROLE_B,ROLE_A' }, at: 'topp.states' }, 'allow'],
    ['one role of the user is enough', { rules: { '*.*.r': 'ROLE_B' }, who: user('X', 'ROLE_B'), at: 'a.b' }, 'allow'],
    [
      'everybody logged in is authenticated',
      { rules: { '*.*.r': 'ROLE_AUTHENTICATED' }, who: user(), at: 'a.b' },
      'allow',
    ],
    ['nobody else is', { rules: { '*.*.r': 'ROLE_AUTHENTICATED' }, who: anonymous, at: 'a.b' }, 'hide'],
    ['the anonymous have a role, too', { rules: { '*.*.r': 'ROLE_ANONYMOUS' }, who: anonymous, at: 'a.b' }, 'allow'],
    [
      'administrators pass every rule',
      { rules: { 'topp.states.r': 'ROLE_B' }, who: user(ROLE_ADMINISTRATOR), at: 'topp.states' },
      'allow',
    ],
    [
      'the workspace wins over everything',
      { rules: { '*.*.r': 'ROLE_A', 'topp.*.r': 'ROLE_B' }, at: 'topp.states' },
      'hide',
    ],
    [
      'the layer wins over the workspace',
      { rules: { '*.*.r': 'ROLE_A', 'topp.*.r': 'ROLE_A', 'topp.states.r': 'ROLE_B' }, at: 'topp.states' },
      'hide',
    ],
    [
      'the layer may also open what the workspace closes',
      { rules: { 'topp.*.r': 'ROLE_B', 'topp.states.r': 'ROLE_A' }, at: 'topp.states' },
      'allow',
    ],
    [
      'other layers are as closed as before',
      { rules: { 'topp.*.r': 'B', 'topp.states.r': '*' }, at: 'topp.x' },
      'hide',
    ],
    ['rules of other workspaces say nothing', { rules: { 'sf.*.r': 'ROLE_B' }, at: 'topp.states' }, 'allow'],
    [
      'a level without a rule for the mode asks the one above',
      { rules: { '*.*.r': 'ROLE_B', 'topp.states.w': 'ROLE_A' }, at: 'topp.states' },
      'hide',
    ],
    [
      'writing does not imply reading',
      { rules: { '*.*.r': 'ROLE_B', '*.*.w': 'ROLE_A' }, at: 'topp.states', mode: 'read' },
      'hide',
    ],
    [
      'reading does not imply writing',
      { rules: { '*.*.r': 'ROLE_A', '*.*.w': 'ROLE_B' }, at: 'topp.states', mode: 'write' },
      'challenge',
    ],
    [
      'what can be neither read nor written is hidden',
      { rules: { '*.*.r': 'B', '*.*.w': 'B' }, at: 'a.b', mode: 'write' },
      'hide',
    ],
    ['administering does not imply reading', { rules: { 'a.*.a': 'ROLE_A', 'a.*.r': 'B' }, at: 'a.b' }, 'hide'],
    ['a rule of mode a makes administrators', { rules: { 'topp.*.a': 'ROLE_A' }, at: 'topp', mode: 'admin' }, 'allow'],
    ['of that workspace only', { rules: { 'topp.*.a': 'ROLE_A' }, at: 'sf', mode: 'admin' }, 'hide'],
    ['or of all', { rules: { '*.*.a': 'ROLE_A' }, at: 'sf', mode: 'admin' }, 'allow'],
    ['or of all but some', { rules: { '*.*.a': 'ROLE_A', 'sf.*.a': 'ROLE_B' }, at: 'sf', mode: 'admin' }, 'hide'],
    ['also of its layers', { rules: { 'topp.*.a': 'ROLE_A' }, at: 'topp.states', mode: 'admin' }, 'allow'],
    [
      'a closed workspace can be read by who can read a layer in it',
      { rules: { 'topp.*.r': 'ROLE_B', 'topp.states.r': 'ROLE_A' }, at: 'topp' },
      'allow',
    ],
    ['but not by others', { rules: { 'topp.*.r': 'ROLE_B', 'topp.states.r': 'ROLE_C' }, at: 'topp' }, 'hide'],
    [
      'and not written',
      { rules: { 'topp.*.w': 'ROLE_B', 'topp.states.w': 'ROLE_A', 'topp.*.r': 'ROLE_B' }, at: 'topp', mode: 'write' },
      'hide',
    ],
    ['what lives in no workspace goes by the rules for all', { rules: { '*.*.r': 'ROLE_B' } }, 'hide'],
    ['and by no others', { rules: { 'topp.*.r': 'ROLE_B' } }, 'allow'],
    [
      'names of JavaScript are names like any other',
      { rules: { 'constructor.*.r': 'B' }, at: 'constructor.x' },
      'hide',
    ],
    ['MIXED challenges', { rules: { '*.*.r': 'ROLE_B' }, at: 'topp.states', catalogMode: 'MIXED' }, 'challenge'],
    ['CHALLENGE challenges', { rules: { '*.*.r': 'ROLE_B' }, at: 'a.b', catalogMode: 'CHALLENGE' }, 'challenge'],
  ];

  it.each(cases)('%s', (_what, asked, decision) => {
    expect(decideAccess(question(asked))).toBe(decision);
  });

  it.each([
    ['HIDE', false],
    ['MIXED', false],
    ['CHALLENGE', true],
  ] as const)('in mode %s a listing names what cannot be read: %s', (catalogMode, listed) => {
    expect(isListed(question({ rules: { '*.*.r': 'ROLE_B' }, at: 'a.b', catalogMode }))).toBe(listed);
    expect(isListed(question({ rules: { '*.*.r': 'ROLE_A' }, at: 'a.b', catalogMode }))).toBe(true);
  });
});

const word = fc.constantFrom('*', 'x', 'y');
const roles = fc.subarray(['*', 'ROLE_A', 'ROLE_B'], { minLength: 1 });
const rule = fc
  .record({ workspace: word, layer: word, mode: fc.constantFrom<AccessMode>('read', 'write', 'admin'), roles })
  .filter(({ workspace, layer, mode }) => !((workspace === '*' || mode === 'admin') && layer !== '*'));
const ruleSet = fc.uniqueArray(rule, {
  maxLength: 8,
  selector: ({ workspace, layer, mode }) => `${workspace}.${layer}.${mode}`,
});
const principal = fc.subarray(['ROLE_A', 'ROLE_B', 'ROLE_C']).map((held) => user(...held));
const asked = fc.record({
  principal,
  ruleSet,
  catalogMode: fc.constantFrom(...catalogModes),
  workspace: fc.constantFrom('x', 'y', 'z', null),
  layer: fc.constantFrom('x', 'y', 'z', null),
  mode: fc.constantFrom<AccessMode>('read', 'write', 'admin'),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

const asQuestion = ({ ruleSet: rules, ...rest }: Asked): AccessRequest => ({ ...rest, rules: createLayerRules(rules) });

describe('whatever the rules', () => {
  it('the decision is that of a walk up the tree from the deepest level that has rules', () => {
    fc.assert(
      fc.property(asked, (each) => {
        expect(decideAccess(asQuestion(each)) === 'allow').toBe(walkUpTheTree(each));
      }),
      { numRuns: 2_000 },
    );
  });

  it('administrators always pass', () => {
    fc.assert(
      fc.property(asked, (each) => {
        expect(decideAccess({ ...asQuestion(each), principal: user(ROLE_ADMINISTRATOR) })).toBe('allow');
      }),
    );
  });

  it('one role more never takes anything away', () => {
    fc.assert(
      fc.property(asked, fc.constantFrom('ROLE_A', 'ROLE_B', ROLE_ADMINISTRATOR), (each, more) => {
        fc.pre(decideAccess(asQuestion(each)) === 'allow');
        const richer = user(...each.principal.roles, more);
        expect(decideAccess({ ...asQuestion(each), principal: richer })).toBe('allow');
      }),
    );
  });

  it('the catalog mode changes what people are told, never what they may', () => {
    fc.assert(
      fc.property(asked, (each) => {
        const decisions = catalogModes.map((catalogMode) => decideAccess({ ...asQuestion(each), catalogMode }));
        const allowed = decisions.map((decision) => decision === 'allow');
        expect(new Set(allowed).size).toBe(1);
        expect(decisions.slice(1)).not.toContain('hide');
      }),
    );
  });

  it('the order of the rules means nothing', () => {
    fc.assert(
      fc.property(asked, (each) => {
        const reversed = { ...each, ruleSet: each.ruleSet.toReversed() };
        expect(decideAccess(asQuestion(reversed))).toBe(decideAccess(asQuestion(each)));
      }),
    );
  });
});

/** The words of the specification, taken literally. */
function walkUpTheTree({ principal: who, ruleSet: rules, workspace, layer, mode }: Asked): boolean {
  const levels = [
    { workspace: '*', layer: '*' },
    ...(workspace === null ? [] : [{ workspace, layer: '*' }]),
    ...(workspace === null || layer === null ? [] : [{ workspace, layer }]),
  ].map((place) => rules.filter((each) => each.workspace === place.workspace && each.layer === place.layer));
  const matches = (held: readonly string[]) => held.includes('*') || held.some((role) => who.roles.has(role));
  let level = levels.findLastIndex((at) => at.length > 0);
  for (; level >= 0; level -= 1) {
    const found = levels[level]?.find((each) => each.mode === mode);
    if (found !== undefined) {
      return matches(found.roles) || readableBelow();
    }
  }
  return mode === 'read';

  function readableBelow(): boolean {
    return (
      mode === 'read' &&
      layer === null &&
      rules.some(
        (each) => each.workspace === workspace && each.layer !== '*' && each.mode === 'read' && matches(each.roles),
      )
    );
  }
}
