/** The proposals of the console for layer rules. */
import { describe, expect, it } from 'vitest';
import {
  chooseRoles,
  findDecidingRule,
  formatRuleKey,
  parseRuleKey,
  planRoles,
} from '../../console/pages/security/access/layer-rules.ts';

const read = { workspace: 'city', layer: 'roads', mode: 'read' } as const;
const write = { ...read, mode: 'write' } as const;
const known = ['EDITOR', 'VIEWER'];

const plan = (rules: Record<string, string>, target: typeof read | typeof write, role: string, isAllowed: boolean) =>
  planRoles(rules, target, chooseRoles(rules, { ...target, role, isAllowed, known }));

describe('keys of layer rules', () => {
  it.each([
    [{ workspace: 'a.b', layer: 'c.d', mode: 'read' }, 'a\\.b.c\\.d.r'],
    [{ workspace: '*', layer: '*', mode: 'write' }, '*.*.w'],
    [{ workspace: '', layer: 'base.map', mode: 'read' }, 'base\\.map.r'],
    [{ workspace: 'a', layer: '*', mode: 'admin' }, 'a.*.a'],
  ] as const)('are written and parsed: %o', (target, key) => {
    expect(formatRuleKey(target)).toBe(key);
    expect(parseRuleKey(key)).toEqual(target);
  });
});

describe('the smallest change of layer rules', () => {
  it('finds the most specific rule, else the default', () => {
    expect(findDecidingRule({ '*.*.r': 'A', 'city.*.r': 'B' }, read)).toEqual({
      key: 'city.*.r',
      roles: ['B'],
      exists: true,
    });
    expect(findDecidingRule({}, write)).toEqual({ key: '', roles: ['ROLE_ADMINISTRATOR'], exists: false });
  });

  it.each([
    [
      'adds a rule with the inherited roles and one more',
      { 'city.*.w': 'EDITOR' },
      write,
      'VIEWER',
      true,
      'add',
      ['EDITOR', 'VIEWER'],
    ],
    ['allows one role where only administrators write', {}, write, 'EDITOR', true, 'add', ['EDITOR']],
    [
      'changes the rule of the layer',
      { 'city.roads.w': 'EDITOR' },
      write,
      'VIEWER',
      true,
      'change',
      ['EDITOR', 'VIEWER'],
    ],
    [
      'removes a rule that the next level repeats',
      { 'city.roads.r': 'EDITOR' },
      read,
      'ROLE_ANONYMOUS',
      true,
      'remove',
      ['*'],
    ],
    ['leaves signed-in users instead of everyone', {}, read, 'ROLE_ANONYMOUS', false, 'add', ['ROLE_AUTHENTICATED']],
    ['names the other roles instead of everyone', {}, read, 'VIEWER', false, 'add', ['EDITOR']],
    [
      'names the other roles instead of signed-in users',
      { '*.*.r': 'ROLE_AUTHENTICATED' },
      read,
      'VIEWER',
      false,
      'add',
      ['EDITOR'],
    ],
    [
      'leaves administrators if no role remains',
      { 'city.roads.r': 'VIEWER' },
      read,
      'VIEWER',
      false,
      'change',
      ['ROLE_ADMINISTRATOR'],
    ],
  ] as const)('%s', (_, rules, target, role, isAllowed, kind, after) => {
    expect(plan(rules, target, role, isAllowed)).toMatchObject({ kind, after });
  });

  it('is nothing if the deciding rule has the roles already', () => {
    expect(planRoles({ 'city.*.w': 'EDITOR' }, write, ['EDITOR'])).toBeUndefined();
  });
});
