/** The rules and boxes of the model of data rules on a test server. */
import { expect } from 'vitest';
import type { Box, ModelRule } from './data-rule-model.ts';
import type { TestServer } from './test-server.ts';

/** A cell of the model in degrees. */
export const CELL = 5;

export function toPolygon([x1, y1, x2, y2]: Box): string {
  const [a, b, c, d] = [x1 * CELL, y1 * CELL, x2 * CELL, y2 * CELL];
  return `POLYGON ((${a} ${b}, ${c} ${b}, ${c} ${d}, ${a} ${d}, ${a} ${b}))`;
}

/** Rules for a single layer apply to each of the layers of the workspace `land`. */
export async function replaceRules(
  server: TestServer,
  rules: readonly ModelRule[],
  layers: readonly string[],
): Promise<void> {
  const { dataRules } = (await server.get('/security/acl/data')).json() as { dataRules: { name: string }[] };
  for (const { name } of dataRules) await server.delete(`/security/acl/data/${name}`);
  for (const [index, { level, rows, area, ...rule }] of rules.entries()) {
    const targets = level === 0 ? layers.map((each) => `land:${each}`) : [level === 1 ? 'land:*' : '*:*'];
    for (const [at, layer] of targets.entries()) {
      const isRaster = layer === RASTER;
      const dataRule = {
        ...rule,
        name: `rule${index}-${at}`,
        layer,
        ...(isRaster ? { attributes: {} } : {}),
        rows: isRaster ? null : (rows?.text ?? null),
        area: area && { geometry: toPolygon(area.box), crs: 'EPSG:4326', mode: area.mode },
      };
      const reply = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
      expect(reply.status, reply.text).toBe(201);
    }
  }
}

/** Rules for it have areas only. */
export const RASTER = 'land:heights';
