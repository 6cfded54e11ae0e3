import { expect, it } from 'vitest';
import { layerGroupKind } from './layer-group.ts';

it('a layer group that was stored before groups had styles has none', () => {
  expect(layerGroupKind.upgrade?.({ mode: 'NAMED', parts: [] }, 1)).toEqual({
    mode: 'NAMED',
    parts: [],
    groupStyles: [],
  });
});
