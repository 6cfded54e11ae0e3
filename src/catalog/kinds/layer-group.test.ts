import { expect, it } from 'vitest';
import { layerGroupKind } from './layer-group.ts';

it('migrates a layer group without styles from an older version to an empty style list', () => {
  expect(layerGroupKind.upgrade?.({ mode: 'NAMED', parts: [] }, 1)).toEqual({
    mode: 'NAMED',
    parts: [],
    groupStyles: [],
  });
});
