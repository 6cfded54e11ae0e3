/** Writes symbolizers. */
import type { RasterSymbolizer, Symbolizer, TextSymbolizer } from '../../model/symbolizer.ts';
import { quoted } from '../grammar/expected.ts';
import { maybeParameter, writeExpression, writeParameter, writeVendorOptions } from './expression.ts';
import { writeHeading } from './heading.ts';
import { writeFont, writeHalo, writeLabelPlacement } from './label.ts';
import { element, type OutputElement } from './output.ts';
import { writeDisplacement, writeFill, writeGraphic, writeOnlineResource, writeStroke } from './paint.ts';
import {
  writeChannelSelection,
  writeColorMap,
  writeContrastEnhancement,
  writeOverlapBehavior,
  writeShadedRelief,
} from './raster.ts';
import type { Writing } from './writing.ts';

const elementNames: Readonly<Record<Symbolizer['kind'], string>> = {
  pointSymbolizer: 'PointSymbolizer',
  lineSymbolizer: 'LineSymbolizer',
  polygonSymbolizer: 'PolygonSymbolizer',
  textSymbolizer: 'TextSymbolizer',
  rasterSymbolizer: 'RasterSymbolizer',
};

type Content = readonly (OutputElement | undefined)[];

export function writeSymbolizer(writing: Writing, symbolizer: Symbolizer, position: number): OutputElement {
  const name = elementNames[symbolizer.kind];
  const uom = symbolizer.uom && `http://www.opengeospatial.org/se/units/${symbolizer.uom}`;
  return writing.inside(`${name}[${position + 1}]`, () =>
    element(
      writing.symbol(name),
      [
        ...writeBase(writing, symbolizer),
        ...writeContent(writing, symbolizer),
        ...writeVendorOptions(writing, symbolizer.vendorOptions),
      ],
      { uom },
    ),
  );
}

function writeBase(writing: Writing, symbolizer: Symbolizer): Content {
  const { name, title, abstract, baseSymbolizer, geometry } = symbolizer;
  const geometryElement = geometry && element(writing.symbol('Geometry'), [writeExpression(writing, geometry)]);
  if (writing.isSymbologyEncoding) {
    return [
      ...writeHeading(writing, symbolizer),
      baseSymbolizer === undefined
        ? undefined
        : element('se:BaseSymbolizer', [writeOnlineResource(writing, baseSymbolizer)]),
      geometryElement,
    ];
  }
  const lost = { Name: name, Title: title, Abstract: abstract, BaseSymbolizer: baseSymbolizer };
  for (const [what, text] of Object.entries(lost))
    if (text !== undefined) writing.lose(`the ${what} ${quoted(text)} here`);
  return [geometryElement];
}

function writeContent(writing: Writing, symbolizer: Symbolizer): Content {
  switch (symbolizer.kind) {
    case 'pointSymbolizer':
      return [symbolizer.graphic && writeGraphic(writing, symbolizer.graphic)];
    case 'lineSymbolizer':
      return [
        symbolizer.stroke && writeStroke(writing, symbolizer.stroke),
        maybeParameter(writing, writing.symbol('PerpendicularOffset'), symbolizer.perpendicularOffset),
      ];
    case 'polygonSymbolizer':
      return [
        symbolizer.fill && writeFill(writing, symbolizer.fill),
        symbolizer.stroke && writeStroke(writing, symbolizer.stroke),
        symbolizer.displacement && writeDisplacement(writing, symbolizer.displacement),
        maybeParameter(writing, writing.symbol('PerpendicularOffset'), symbolizer.perpendicularOffset),
      ];
    case 'textSymbolizer':
      return writeText(writing, symbolizer);
    case 'rasterSymbolizer':
      return writeRaster(writing, symbolizer);
  }
}

function writeText(writing: Writing, symbolizer: TextSymbolizer): Content {
  const { font, placement, halo, fill, graphic, otherText } = symbolizer;
  return [
    maybeParameter(writing, writing.symbol('Label'), symbolizer.label),
    font && writeFont(writing, font),
    placement && writeLabelPlacement(writing, placement),
    halo && writeHalo(writing, halo),
    fill && writeFill(writing, fill),
    graphic && writeGraphic(writing, graphic),
    maybeParameter(writing, writing.symbol('Priority'), symbolizer.priority),
    maybeParameter(writing, writing.symbol('Snippet'), symbolizer.snippet),
    maybeParameter(writing, writing.symbol('FeatureDescription'), symbolizer.featureDescription),
    otherText && writeParameter(writing, writing.symbol('OtherText'), otherText.text, { target: otherText.target }),
  ];
}

function writeRaster(writing: Writing, symbolizer: RasterSymbolizer): Content {
  const { channelSelection, overlapBehavior, colorMap, contrastEnhancement, shadedRelief, imageOutline } = symbolizer;
  return [
    maybeParameter(writing, writing.symbol('Opacity'), symbolizer.opacity),
    channelSelection && writeChannelSelection(writing, channelSelection),
    overlapBehavior && writeOverlapBehavior(writing, overlapBehavior),
    colorMap && writeColorMap(writing, colorMap),
    contrastEnhancement && writeContrastEnhancement(writing, contrastEnhancement),
    shadedRelief && writeShadedRelief(writing, shadedRelief),
    imageOutline && element(writing.symbol('ImageOutline'), [writeSymbolizer(writing, imageOutline, 0)]),
  ];
}
