import { describe, expect, it } from 'vitest';
import { negotiateVersion, requireVersion, type SupportedVersions } from './versions.ts';

const spoken: SupportedVersions<string> = ['1.0.0', '1.1.0', '2.0.0'];

describe('service version', () => {
  it.each([
    [{}, '2.0.0'],
    [{ version: '1.1.0' }, '1.1.0'],
    [{ version: '2.0.2' }, '2.0.0'],
    [{ version: '0.9' }, '1.0.0'],
    [{ version: '1.0.5' }, '1.0.0'],
    [{ version: '1.3.0' }, '1.1.0'],
    [{ version: '9.9.9' }, '2.0.0'],
    [{ acceptVersions: ['1.1.0', '2.0.0'] }, '1.1.0'],
    [{ acceptVersions: ['3.0.0', '2.0.2'] }, '2.0.0'],
    [{ acceptVersions: ['1.0.0'], version: '2.0.0' }, '1.0.0'],
  ])('for capabilities with %j is %s', (asked, version) => {
    expect(negotiateVersion(spoken, asked)).toBe(version);
  });

  it('is rejected if none of the accepted versions is supported', () => {
    expect(() => negotiateVersion(spoken, { acceptVersions: ['3.0.0'] })).toThrow(
      'Unsupported version: 3.0.0. Supported versions: 1.0.0, 1.1.0, 2.0.0.',
    );
  });

  it('must be supported for all other operations', () => {
    expect(requireVersion(spoken, undefined)).toBe('2.0.0');
    expect(requireVersion(spoken, '2.0.2')).toBe('2.0.0');
    expect(() => requireVersion(spoken, '1.3.0')).toThrow('expected one of 1.0.0, 1.1.0, 2.0.0');
    expect(() => negotiateVersion(spoken, { version: 'latest' })).toThrow("Invalid value 'latest'");
  });
});
