import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLayerKeys, formatLayerKey, parseLayerKey } from './layer-rules.ts';
import { isRuleKey, type RuleFamilyName, toCanonicalKey } from './rule-families.ts';
import { parseRoles } from './rule-roles.ts';

const goodKeys: Readonly<Record<RuleFamilyName, readonly (readonly [text: string, canonical: string])[]>> = {
  layers: [
    ['*.*.r', '*.*.r'],
    ['*.*.w', '*.*.w'],
    ['*.*.a', '*.*.a'],
    ['topp.*.a', 'topp.*.a'],
    ['topp.states.r', 'topp.states.r'],
    ['  topp.states.w\n', 'topp.states.w'],
    ['my workspace.Straße.r', 'my workspace.Straße.r'],
    ['a\\.b.roads\\.v2.r', 'a\\.b.roads\\.v2.r'],
    ['a-b_c.1.w', 'a-b_c.1.w'],
    ['base.r', 'base.r'],
    [' base\\.map.w ', 'base\\.map.w'],
  ],
  services: [
    ['*.*', '*.*'],
    ['wfs.*', 'wfs.*'],
    ['wfs.GetFeature', 'wfs.GetFeature'],
    [' wms.GetMap ', 'wms.GetMap'],
    ['wfs.xml', 'wfs.xml'],
  ],
  rest: [
    ['/**:GET', '/**:GET'],
    ['/**;GET', '/**:GET'],
    ['/**:GET,HEAD', '/**:GET,HEAD'],
    ['/**: GET , HEAD ', '/**:GET,HEAD'],
    ['/**:GET,GET', '/**:GET'],
    ['/rest/Workspaces/**:PUT,DELETE', '/rest/workspaces/**:PUT,DELETE'],
    ['rest//layers/:OPTIONS', '/rest/layers:OPTIONS'],
    ['/rest/layers/a:b:POST', '/rest/layers/a:b:POST'],
    ['/:GET', '/:GET'],
  ],
};

const badKeys: Readonly<Record<RuleFamilyName, readonly string[]>> = {
  layers: [
    '',
    'a',
    'a.b',
    '*.r',
    'base.a',
    '.r',
    'a.b.c',
    'a.b.R',
    'a.b.rw',
    'a.b.',
    '.b.r',
    'a..r',
    '..',
    'a.b.c.r',
    '*.states.r',
    'topp.states.a',
    'a/b.c.r',
    'a\\b.c.r',
    'a .b.r',
    'a.\u0000.r',
    'a.\ud800.r',
    'a.b.constructor',
    `${'x'.repeat(3_000)}.*.r`,
  ],
  services: ['', 'wfs', '.', 'wfs.', '.GetMap', 'a.b.c', '*.GetMap', 'w fs.GetMap', 'wfs/x.y', 'wfs.\u0007'],
  rest: [
    '',
    '/**',
    ':GET',
    'GET',
    '/**:',
    '/**:get',
    '/**:PATCH',
    '/**:GET,',
    '/**:GET;POST',
    '/a\u0000:GET',
    `${'/a'.repeat(60)}:GET`,
  ],
};

describe.each(['layers', 'services', 'rest'] as const)('key of a rule in the family %s', (family) => {
  it.each(goodKeys[family])('accepts %j and stores %j', (text, canonical) => {
    expect(toCanonicalKey(family, text)).toBe(canonical);
    expect(toCanonicalKey(family, canonical)).toBe(canonical);
    expect(isRuleKey(family, text)).toBe(true);
  });

  it.each(badKeys[family])('rejects %j', (text) => {
    expect(() => toCanonicalKey(family, text)).toThrow(
      expect.objectContaining({ code: 'rule-malformed', status: 422 }),
    );
    expect(isRuleKey(family, text)).toBe(false);
  });

  it('has one canonical spelling, and other texts are rejected with a message', () => {
    const pieces = ['*', '**', '.', '/', ':', ';', ',', '\\', ' ', 'a', 'r', 'w', 'GET', 'HEAD', 'x.y', '/**:'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
        const text = parts.join('');
        if (isRuleKey(family, text)) {
          expect(toCanonicalKey(family, toCanonicalKey(family, text))).toBe(toCanonicalKey(family, text));
        } else {
          expect(() => toCanonicalKey(family, text)).toThrow(/Invalid rule key '.*': ./);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('layer rule key', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => text === text.trim() && text !== '*' && !/[\\/]|\p{Cc}|[\u2028\u2029\ufffe\uffff]/u.test(text));

  it('supports every valid workspace and layer name', () => {
    fc.assert(
      fc.property(name, name, fc.constantFrom('read', 'write'), (workspace, layer, mode) => {
        const key = { workspace, layer, mode } as const;
        expect(parseLayerKey(formatLayerKey(key))).toEqual(key);
      }),
    );
  });

  it('sorts the global rule first, then by name, then read before write', () => {
    const keys = ['b.*.r', 'a.x.r', '*.*.a', 'a.*.w', '*.*.r', 'a.x.w', 'a.*.r', 'a.*.a', '*.*.w', '!.*.r'];

    const sorted = keys.map(parseLayerKey).toSorted(compareLayerKeys).map(formatLayerKey);

    expect(sorted).toEqual(['*.*.r', '*.*.w', '*.*.a', '!.*.r', 'a.*.r', 'a.*.w', 'a.*.a', 'a.x.r', 'a.x.w', 'b.*.r']);
  });
});

describe('roles of a rule', () => {
  it.each([
    ['ROLE_A', ['ROLE_A']],
    [' ROLE_A , ROLE_B,,ROLE_A\n', ['ROLE_A', 'ROLE_B']],
    ['*', ['*']],
    ['ROLE_A,*', ['*']],
    ['MAP EDITORS,ROLE_B', ['MAP EDITORS', 'ROLE_B']],
  ])('parses %j as %j', (text, roles) => {
    expect(parseRoles('*.*.r', text)).toEqual(roles);
  });

  it.each(['', ' , ', 'ROLE\u0000A', 'ROLE_\ud800'])('rejects %j', (text) => {
    expect(() => parseRoles('*.*.r', text)).toThrow(
      expect.objectContaining({ code: 'rule-roles-malformed', status: 422 }),
    );
  });
});
