import { describe, expect, test } from 'vitest';
import { createLiteral } from '../../filter/model/literal.ts';
import type { OnlineResource } from '../model/model.ts';
import { expandAddress, parseTemplates } from './address-template.ts';
import { classifyHref } from './classify-href.ts';
import { readDataAddress } from './data-address.ts';
import { resolveMarks } from './resolve-marks.ts';

function expand(href: string, value: string | undefined): string | undefined {
  const { template, ...source } = parseTemplates<OnlineResource>({ kind: 'online', href });
  const bound = template?.map((part) =>
    part.text === undefined ? { value: value === undefined ? undefined : createLiteral(value) } : part,
  );
  return expandAddress({ ...source, template: bound });
}

describe('an address with expressions', () => {
  test.each([
    ['peak', 'icons/peak.svg'],
    ['a b/c?d#e', 'icons/a%20b%2Fc%3Fd%23e.svg'],
    ['http://host/', 'icons/http%3A%2F%2Fhost%2F.svg'],
    [`\${name}`, 'icons/%24%7Bname%7D.svg'],
  ])('encodes the value %s', (value, address) => {
    expect(expand(`icons/\${name}.svg`, value)).toBe(address);
  });

  test.each([['..'], ['../secret'], ['a/../..'], [undefined]])('is not read with the value %s', (value) => {
    expect(expand(`icons/\${name}.svg`, value)).toBeUndefined();
  });

  test('cannot leave the folder of the style with an encoded separator', () => {
    expect(classifyHref(expand(`\${name}.svg`, '/etc/passwd') ?? '')?.kind).toBe('outside');
  });

  test('stays as written if an expression is invalid', () => {
    expect(parseTemplates<OnlineResource>({ kind: 'online', href: `\${a +}.svg` })).not.toHaveProperty('template');
  });
});

describe('a data: address', () => {
  test('contains a picture in base64 or in plain text', () => {
    expect(readDataAddress('data:image/png;base64,AAEC')).toEqual(Buffer.from([0, 1, 2]));
    expect(readDataAddress('data:image/svg+xml,%3Csvg/%3E')).toEqual(Buffer.from('<svg/>'));
  });

  test.each([
    ['another type', 'data:text/html,<p>'],
    ['an invalid escape', 'data:image/png,%zz'],
    ['too many bytes', `data:image/png;base64,${'A'.repeat(400_000)}`],
  ])('is refused with %s', (_, href) => {
    expect(readDataAddress(href)).toBeUndefined();
  });
});

test('the filters of a style are not visited, because they can be large', () => {
  const filter = new Proxy({ kind: 'include' }, { ownKeys: () => expect.fail('the filter was visited') });
  const rule = { kind: 'rule', filter, symbolizers: [{ kind: 'mark', wellKnownName: createLiteral('circle') }] };

  expect(resolveMarks(rule).filter).toBe(filter);
  expect(parseTemplates(rule)).toBe(rule);
});
