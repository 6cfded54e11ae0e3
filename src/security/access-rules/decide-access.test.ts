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

/** `at` is `workspace.layer`, `workspace`, or empty for resources outside any workspace. */
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

describe('access decision', () => {
  const cases: readonly (readonly [what: string, asked: Case, decision: Decision])[] = [
    ['anonymous users can read without rules', { who: anonymous, at: 'topp.states' }, 'allow'],
    ['only administrators write without rules', { at: 'topp.states', mode: 'write' }, 'challenge'],
    ['only administrators administer without rules', { at: 'topp', mode: 'admin' }, 'hide'],
    ['a star admits every user', { rules: { '*.*.r': '*' }, who: anonymous, at: 'topp.states' }, 'allow'],
    ['a role admits users who have it', { rules: { '*.*.r': 'ROLE_A' }, at: 'topp.states' }, 'allow'],
    ['a role refuses users who lack it', { rules: { '*.*.r': 'ROLE_B' }, at: 'topp.states' }, 'hide'],
    ['one matching role of the rule is enough', { rules: { '*.*.r': 'ROLE_B,ROLE_A' }, at: 'topp.states' }, 'allow'],
    [
      'one matching role of the user is enough',
      { rules: { '*.*.r': 'ROLE_B' }, who: user('X', 'ROLE_B'), at: 'a.b' },
      'allow',
    ],
    [
      'a logged-in user has the authenticated role',
      { rules: { '*.*.r': 'ROLE_AUTHENTICATED' }, who: user(), at: 'a.b' },
      'allow',
    ],
    [
      'an anonymous user lacks the authenticated role',
      { rules: { '*.*.r': 'ROLE_AUTHENTICATED' }, who: anonymous, at: 'a.b' },
      'hide',
    ],
    [
      'an anonymous user has the anonymous role',
      { rules: { '*.*.r': 'ROLE_ANONYMOUS' }, who: anonymous, at: 'a.b' },
      'allow',
    ],
    [
      'administrators pass every rule',
      { rules: { 'topp.states.r': 'ROLE_B' }, who: user(ROLE_ADMINISTRATOR), at: 'topp.states' },
      'allow',
    ],
    [
      'a workspace rule overrides the global rule',
      { rules: { '*.*.r': 'ROLE_A', 'topp.*.r': 'ROLE_B' }, at: 'topp.states' },
      'hide',
    ],
    [
      'a layer rule overrides the workspace rule',
      { rules: { '*.*.r': 'ROLE_A', 'topp.*.r': 'ROLE_A', 'topp.states.r': 'ROLE_B' }, at: 'topp.states' },
      'hide',
    ],
    [
      'a layer rule can open a layer of a closed workspace',
      { rules: { 'topp.*.r': 'ROLE_B', 'topp.states.r': 'ROLE_A' }, at: 'topp.states' },
      'allow',
    ],
    [
      'other layers of the closed workspace stay closed',
      { rules: { 'topp.*.r': 'B', 'topp.states.r': '*' }, at: 'topp.x' },
      'hide',
    ],
    ['rules of other workspaces have no effect', { rules: { 'sf.*.r': 'ROLE_B' }, at: 'topp.states' }, 'allow'],
    [
      'a level without a rule for the mode inherits from the level above',
      { rules: { '*.*.r': 'ROLE_B', 'topp.states.w': 'ROLE_A' }, at: 'topp.states' },
      'hide',
    ],
    [
      'write permission does not imply read permission',
      { rules: { '*.*.r': 'ROLE_B', '*.*.w': 'ROLE_A' }, at: 'topp.states', mode: 'read' },
      'hide',
    ],
    [
      'read permission does not imply write permission',
      { rules: { '*.*.r': 'ROLE_A', '*.*.w': 'ROLE_B' }, at: 'topp.states', mode: 'write' },
      'challenge',
    ],
    [
      'a layer that is neither readable nor writable is hidden',
      { rules: { '*.*.r': 'B', '*.*.w': 'B' }, at: 'a.b', mode: 'write' },
      'hide',
    ],
    [
      'admin permission does not imply read permission',
      { rules: { 'a.*.a': 'ROLE_A', 'a.*.r': 'B' }, at: 'a.b' },
      'hide',
    ],
    [
      'a rule of mode a makes workspace administrators',
      { rules: { 'topp.*.a': 'ROLE_A' }, at: 'topp', mode: 'admin' },
      'allow',
    ],
    [
      'a workspace admin rule does not apply to other workspaces',
      { rules: { 'topp.*.a': 'ROLE_A' }, at: 'sf', mode: 'admin' },
      'hide',
    ],
    [
      'a global admin rule applies to all workspaces',
      { rules: { '*.*.a': 'ROLE_A' }, at: 'sf', mode: 'admin' },
      'allow',
    ],
    [
      'a workspace admin rule overrides the global admin rule',
      { rules: { '*.*.a': 'ROLE_A', 'sf.*.a': 'ROLE_B' }, at: 'sf', mode: 'admin' },
      'hide',
    ],
    [
      'a workspace admin rule applies to the layers of the workspace',
      { rules: { 'topp.*.a': 'ROLE_A' }, at: 'topp.states', mode: 'admin' },
      'allow',
    ],
    [
      'a closed workspace is readable for users who can read one of its layers',
      { rules: { 'topp.*.r': 'ROLE_B', 'topp.states.r': 'ROLE_A' }, at: 'topp' },
      'allow',
    ],
    [
      'a closed workspace is hidden from other users',
      { rules: { 'topp.*.r': 'ROLE_B', 'topp.states.r': 'ROLE_C' }, at: 'topp' },
      'hide',
    ],
    [
      'a closed workspace is not writable for users who can read one of its layers',
      { rules: { 'topp.*.w': 'ROLE_B', 'topp.states.w': 'ROLE_A', 'topp.*.r': 'ROLE_B' }, at: 'topp', mode: 'write' },
      'hide',
    ],
    ['the global rules apply to resources outside workspaces', { rules: { '*.*.r': 'ROLE_B' } }, 'hide'],
    ['workspace rules do not apply to resources outside workspaces', { rules: { 'topp.*.r': 'ROLE_B' } }, 'allow'],
    [
      'names of JavaScript object members are ordinary names',
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
  ] as const)('lists an unreadable layer in mode %s: %s', (catalogMode, listed) => {
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

describe('access decision for random rules', () => {
  it('equals a walk up the tree from the deepest level that has rules', () => {
    fc.assert(
      fc.property(asked, (each) => {
        expect(decideAccess(asQuestion(each)) === 'allow').toBe(walkUpTheTree(each));
      }),
      { numRuns: 2_000 },
    );
  });

  it('always admits administrators', () => {
    fc.assert(
      fc.property(asked, (each) => {
        expect(decideAccess({ ...asQuestion(each), principal: user(ROLE_ADMINISTRATOR) })).toBe('allow');
      }),
    );
  });

  it('never revokes a permission when a role is added', () => {
    fc.assert(
      fc.property(asked, fc.constantFrom('ROLE_A', 'ROLE_B', ROLE_ADMINISTRATOR), (each, more) => {
        fc.pre(decideAccess(asQuestion(each)) === 'allow');
        const richer = user(...each.principal.roles, more);
        expect(decideAccess({ ...asQuestion(each), principal: richer })).toBe('allow');
      }),
    );
  });

  it('depends on the catalog mode only in how it refuses, not in what it allows', () => {
    fc.assert(
      fc.property(asked, (each) => {
        const decisions = catalogModes.map((catalogMode) => decideAccess({ ...asQuestion(each), catalogMode }));
        const allowed = decisions.map((decision) => decision === 'allow');
        expect(new Set(allowed).size).toBe(1);
        expect(decisions.slice(1)).not.toContain('hide');
      }),
    );
  });

  it('does not depend on the order of the rules', () => {
    fc.assert(
      fc.property(asked, (each) => {
        const reversed = { ...each, ruleSet: each.ruleSet.toReversed() };
        expect(decideAccess(asQuestion(reversed))).toBe(decideAccess(asQuestion(each)));
      }),
    );
  });
});

/** A literal implementation of the specification. */
function walkUpTheTree({ principal: who, ruleSet: rules, workspace, layer, mode }: Asked): boolean {
  // A global group; the rules of the property name none.
  if (workspace === null && layer !== null && mode === 'read') return true;
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
