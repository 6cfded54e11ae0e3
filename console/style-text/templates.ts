/** The texts of new styles. */
import type { StyleLanguage } from './languages.ts';

export const templateKinds = ['polygon', 'line', 'point', 'label', 'raster'] as const;
export type TemplateKind = (typeof templateKinds)[number];

const css: Readonly<Record<TemplateKind, string>> = {
  polygon: '* {\n  fill: #9ecae1;\n  stroke: #31607f;\n  stroke-width: 0.5;\n}\n',
  line: '* {\n  stroke: #31607f;\n  stroke-width: 1.5;\n}\n',
  point: "* {\n  mark: symbol('circle');\n  mark-size: 8;\n  :mark { fill: #d9603b; stroke: #ffffff; }\n}\n",
  label:
    "* {\n  mark: symbol('circle');\n  mark-size: 5;\n  :mark { fill: #31607f; }\n  label: [name];\n  font-size: 12;\n  font-fill: #16202a;\n  halo-color: #ffffff;\n  halo-radius: 1.5;\n}\n",
  raster: '* {\n  raster-channels: auto;\n}\n',
};

const parameters = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `<CssParameter name="${name}">${value}</CssParameter>`)
    .join('');

const mark = (fill: string, size: number) =>
  `<PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill>${parameters({ fill })}</Fill></Mark><Size>${size}</Size></Graphic></PointSymbolizer>`;

const symbolizers: Readonly<Record<TemplateKind, string>> = {
  polygon: `<PolygonSymbolizer><Fill>${parameters({ fill: '#9ecae1' })}</Fill><Stroke>${parameters({ stroke: '#31607f', 'stroke-width': '0.5' })}</Stroke></PolygonSymbolizer>`,
  line: `<LineSymbolizer><Stroke>${parameters({ stroke: '#31607f', 'stroke-width': '1.5' })}</Stroke></LineSymbolizer>`,
  point: mark('#d9603b', 8),
  label: `${mark('#31607f', 5)}<TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label><Font>${parameters({ 'font-size': '12' })}</Font><Halo><Radius>1.5</Radius><Fill>${parameters({ fill: '#ffffff' })}</Fill></Halo><Fill>${parameters({ fill: '#16202a' })}</Fill></TextSymbolizer>`,
  raster: '<RasterSymbolizer><Opacity>1</Opacity></RasterSymbolizer>',
};

const mapLibreLayers: Readonly<Record<TemplateKind, object>> = {
  polygon: { type: 'fill', paint: { 'fill-color': '#9ecae1', 'fill-outline-color': '#31607f' } },
  line: { type: 'line', paint: { 'line-color': '#31607f', 'line-width': 1.5 } },
  point: { type: 'circle', paint: { 'circle-color': '#d9603b', 'circle-radius': 4 } },
  label: {
    type: 'symbol',
    layout: { 'text-field': ['get', 'name'], 'text-size': 12 },
    paint: { 'text-color': '#16202a', 'text-halo-color': '#ffffff', 'text-halo-width': 1.5 },
  },
  raster: { type: 'raster', paint: { 'raster-opacity': 1 } },
};

export function createTemplate(language: StyleLanguage, kind: TemplateKind): string {
  switch (language) {
    case 'css':
      return css[kind];
    case 'sld':
      return indentXml(
        `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>style</Name><UserStyle><FeatureTypeStyle><Rule>${symbolizers[kind]}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`,
      );
    case 'mbstyle':
      return `${JSON.stringify({ version: 8, name: 'style', layers: [{ id: kind, ...mapLibreLayers[kind] }] }, null, 2)}\n`;
    case 'ysld':
      return 'rules:\n- polygon:\n    fill-color: "#9ecae1"\n';
  }
}

/** Puts every element with elements in it on lines of its own. */
function indentXml(text: string): string {
  let depth = 0;
  const lines: string[] = [];
  for (const [piece] of text.matchAll(/<[^/>]+>[^<]+<\/[^>]+>|<[^>]+>/g)) {
    const isWhole = /^<[^/].*<\//.test(piece);
    if (piece.startsWith('</')) depth -= 1;
    lines.push(`${'  '.repeat(depth)}${piece}`);
    if (!isWhole && !piece.startsWith('</') && !piece.endsWith('/>')) depth += 1;
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join('\n')}\n`;
}
