/** Layers whose features are drawn in one common order on request. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { askMap, colourAt, SMALL_MAP } from '../../../test/support/maps.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const [RED, BLUE] = ['#ff0000', '#0000ff'];

describe('layers with a common z-order', () => {
  const server = useTestServer();

  beforeAll(async () => {
    const attributes = [geometryColumn('LineString'), column('z', 'integer')];
    const bridge = [wkt('LINESTRING (0 8, 10 8)'), 3];
    const road = [wkt('LINESTRING (0 2, 10 2)'), 1];
    await publishTables(server, 'topo', [
      { name: 'roads', attributes, rows: [bridge, road] },
      { name: 'rails', attributes, rows: [[wkt('LINESTRING (5 0, 5 10)'), 2]] },
    ]);
    for (const [layer, colour] of [
      ['roads', RED],
      ['rails', BLUE],
    ] as const) {
      const css = `* { stroke: ${colour}; stroke-width: 4; sort-by: "z"; sort-by-group: "lines"; }`;
      const reply = await server.post(`/workspaces/topo/styles?name=${layer}`, css, {
        type: 'application/vnd.geoserver.geocss+css',
      });
      expect([reply.status, reply.headers['warning']]).toEqual([201, undefined]);
      const chosen = { layer: { defaultStyle: { name: layer, workspace: 'topo' } } };
      await server.put(`/layers/topo:${layer}`, JSON.stringify(chosen));
    }
  });

  it.each(['topo:roads,topo:rails', 'topo:rails,topo:roads'])(
    'are drawn in the order of their features, requested as %s',
    async (layers) => {
      const map = await askMap(server, `${SMALL_MAP}&layers=${layers}`);

      expect([await colourAt(map, 10, 4), await colourAt(map, 10, 15)]).toEqual([RED, BLUE]);
    },
  );
});
