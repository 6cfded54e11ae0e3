import { describe, expect, it } from 'vitest';
import { findNameFault, layerNames } from '../../lib/text/name-rule.ts';
import { toPublishableName } from './find-resource.ts';

describe('toPublishableName', () => {
  it.each([
    ['../../evil', '_.._evil'],
    ['a/b', 'a_b'],
    ['/group/temperature', '_group_temperature'],
    ['a\\b:c*d', 'a_b_c_d'],
    ['.hidden', 'hidden'],
    ['*.xml', '_.xml'],
    ['..', 'data'],
    ['', 'data'],
    ['line\nend\0', 'line_end_'],
    ['half \ud800', 'half \ufffd'],
  ])('converts %j to %j', (native, name) => {
    expect(toPublishableName(native)).toBe(name);
  });

  it.each([
    ['a dot', `${'x'.repeat(189)}.${'y'.repeat(50)}`],
    ['a space', `${'x'.repeat(189)} ${'y'.repeat(50)}`],
    ['dots and spaces', `${'x'.repeat(180)}${'. '.repeat(50)}y`],
    ['half of a character', `${'x'.repeat(188)}${'🗺'.repeat(20)}`],
  ])('returns a valid name when a long name is cut after %s', (_case, native) => {
    expect(findNameFault(`${toPublishableName(native)}123`, layerNames)).toBeUndefined();
    expect(findNameFault(toPublishableName(native), layerNames)).toBeUndefined();
  });
});
