import { expect, it } from 'vitest';
import { readCss } from '../css/reader.ts';
import { buildLegendJson } from './legend-json.ts';

it('shows no passwords and keys in addresses of pictures', () => {
  const { model } = readCss("* { mark: url('http://u:PASSW0RD@tiles.example/x.svg?token=T0KEN'); }");

  const legend = JSON.stringify(buildLegendJson(model, {}));

  expect(legend).toContain('"external-graphic-url":"http://tiles.example/x.svg"');
  expect(legend).not.toMatch(/PASSW0RD|T0KEN/);
});
