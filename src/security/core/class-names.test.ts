import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providerClasses } from '../auth-providers/model/provider-classes.ts';
import { findClassPair, findClassRole } from './class-names.ts';

const className = 'security.auth.LdapAuthenticationProvider';
const configClassName = 'security.config.LdapAuthenticationProviderConfig';

describe('class names', () => {
  it('keep their vendor, and a derived name gets the same vendor', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}$/), (vendor) => {
        const given = `org.${vendor}.${className}`;
        expect(findClassPair(providerClasses, { className: given })).toEqual({
          className: given,
          configClassName: `org.${vendor}.${configClassName}`,
        });
      }),
    );
  });

  it('can have two vendors, but must belong to one class', () => {
    const given = { className: `org.a.${className}`, configClassName: `org.b.${configClassName}` };

    expect(findClassPair(providerClasses, given)).toEqual(given);
    const mixed = { ...given, configClassName: 'org.b.security.config.UsernamePasswordAuthenticationProviderConfig' };
    expect(findClassPair(providerClasses, mixed)).toBeUndefined();
  });

  it('are rejected unless they are in the list', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(findClassPair(providerClasses, { className: text })).toBeUndefined();
        expect(findClassPair(providerClasses, { className: `org.a.${className}${text}x` })).toBeUndefined();
        expect(findClassRole(providerClasses, text)).toBeUndefined();
      }),
    );
  });

  it.each([
    '__proto__',
    'constructor',
    'org.a.constructor',
    `org.a.b.${className}`,
    `org..${className}`,
    `ORG.a.${className}`,
  ])('are rejected with an invalid prefix or name: %s', (text) => {
    expect(findClassPair(providerClasses, { className: text })).toBeUndefined();
  });

  it('are distinguished from configuration class names', () => {
    expect(findClassRole(providerClasses, `org.x.${className}`)).toBe('className');
    expect(findClassRole(providerClasses, `org.x.${configClassName}`)).toBe('configClassName');
  });
});
