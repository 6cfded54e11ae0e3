import { expect, it } from 'vitest';
import { countTurns } from '../../../test/support/count-turns.ts';
import { createDrawnLayer, createUserStyle, smallMap } from '../../../test/support/drawn-layers.ts';
import { resolveMapSettings } from '../request/map-settings.ts';
import { planStyle } from './style-plan.ts';

const mark = '<PointSymbolizer><Graphic><Mark/></Graphic></PointSymbolizer>';
const rows = [{ wkt: 'POINT (1 1)', name: 'one', rank: 1 }];

it('yields between the rules of a large style', async () => {
  const layer = createDrawnLayer(rows, createUserStyle(`<Rule>${mark}</Rule>`.repeat(500)));
  const settings = await resolveMapSettings({ ...smallMap, layers: [layer] });

  const turns = await countTurns(() => planStyle(layer.style, layer.source.description, settings));

  expect(turns).toBeGreaterThan(50);
});

it('sorts by each attribute once, in the order and direction of its first mention', async () => {
  const sortBy = '<VendorOption name="sortBy">rank D,name,rank A,missing,name D</VendorOption>';
  const layer = createDrawnLayer(rows, createUserStyle(`<Rule>${mark}</Rule>${sortBy}`));
  const settings = await resolveMapSettings({ ...smallMap, layers: [layer] });

  const { sort } = await planStyle(layer.style, layer.source.description, settings);

  expect(sort).toEqual([
    { attribute: 'rank', isDescending: true },
    { attribute: 'name', isDescending: false },
  ]);
});
