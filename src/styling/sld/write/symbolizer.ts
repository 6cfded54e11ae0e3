/** Writes symbolizers. */
import type { RasterSymbolizer, Symbolizer, TextSymbolizer } from '../../model/symbolizer.ts';
import { quoteText } from '../grammar/expected.ts';
import { writeExpression, writeOptionalParameter, writeParameter, writeVendorOptions } from './expression.ts';
import { writeHeading } from './heading.ts';
import { writeFont, writeHalo, writeLabelPlacement } from './label.ts';
import { createElement, type OutputElement } from './output.ts';
import { writeDisplacement, writeFill, writeGraphic, writeOnlineResource, writeStroke } from './paint.ts';
import {
  writeChannelSelection,
  writeColorMap,
  writeContrastEnhancement,
  writeOverlapBehavior,
  writeShadedRelief,
} from './raster.ts';
import type { SldWriteContext } from './write-context.ts';

const elementNames: Readonly<Record<Symbolizer['kind'], string>> = {
  pointSymbolizer: 'PointSymbolizer',
  lineSymbolizer: 'LineSymbolizer',
  polygonSymbolizer: 'PolygonSymbolizer',
  textSymbolizer: 'TextSymbolizer',
  rasterSymbolizer: 'RasterSymbolizer',
};

type Content = readonly (OutputElement | undefined)[];

export function writeSymbolizer(writing: SldWriteContext, symbolizer: Symbolizer, position: number): OutputElement {
  const name = elementNames[symbolizer.kind];
  const uom = symbolizer.uom && `http://www.opengeospatial.org/se/units/${symbolizer.uom}`;
  return writing.runInside(`${name}[${position + 1}]`, () =>
    createElement(
      writing.toSymbolName(name),
      [
        ...writeBase(writing, symbolizer),
        ...writeContent(writing, symbolizer),
        ...writeVendorOptions(writing, symbolizer.vendorOptions),
      ],
      { uom },
    ),
  );
}

function writeBase(writing: SldWriteContext, symbolizer: Symbolizer): Content {
  const { name, title, abstract, baseSymbolizer, geometry } = symbolizer;
  const geometryElement =
    geometry && createElement(writing.toSymbolName('Geometry'), [writeExpression(writing, geometry)]);
  if (writing.isSymbologyEncoding) {
    return [
      ...writeHeading(writing, symbolizer),
      baseSymbolizer === undefined
        ? undefined
        : createElement('se:BaseSymbolizer', [writeOnlineResource(writing, baseSymbolizer)]),
      geometryElement,
    ];
  }
  const lost = { Name: name, Title: title, Abstract: abstract, BaseSymbolizer: baseSymbolizer };
  for (const [what, text] of Object.entries(lost))
    if (text !== undefined) writing.reportLoss(`the ${what} ${quoteText(text)} of this element`);
  return [geometryElement];
}

function writeContent(writing: SldWriteContext, symbolizer: Symbolizer): Content {
  switch (symbolizer.kind) {
    case 'pointSymbolizer':
      return [symbolizer.graphic && writeGraphic(writing, symbolizer.graphic)];
    case 'lineSymbolizer':
      return [
        symbolizer.stroke && writeStroke(writing, symbolizer.stroke),
        writeOptionalParameter(writing, writing.toSymbolName('PerpendicularOffset'), symbolizer.perpendicularOffset),
      ];
    case 'polygonSymbolizer':
      return [
        symbolizer.fill && writeFill(writing, symbolizer.fill),
        symbolizer.stroke && writeStroke(writing, symbolizer.stroke),
        symbolizer.displacement && writeDisplacement(writing, symbolizer.displacement),
        writeOptionalParameter(writing, writing.toSymbolName('PerpendicularOffset'), symbolizer.perpendicularOffset),
      ];
    case 'textSymbolizer':
      return writeText(writing, symbolizer);
    case 'rasterSymbolizer':
      return writeRaster(writing, symbolizer);
  }
}

function writeText(writing: SldWriteContext, symbolizer: TextSymbolizer): Content {
  const { font, placement, halo, fill, graphic, otherText } = symbolizer;
  return [
    writeOptionalParameter(writing, writing.toSymbolName('Label'), symbolizer.label),
    font && writeFont(writing, font),
    placement && writeLabelPlacement(writing, placement),
    halo && writeHalo(writing, halo),
    fill && writeFill(writing, fill),
    graphic && writeGraphic(writing, graphic),
    writeOptionalParameter(writing, writing.toSymbolName('Priority'), symbolizer.priority),
    writeOptionalParameter(writing, writing.toSymbolName('Snippet'), symbolizer.snippet),
    writeOptionalParameter(writing, writing.toSymbolName('FeatureDescription'), symbolizer.featureDescription),
    otherText &&
      writeParameter(writing, writing.toSymbolName('OtherText'), otherText.text, { target: otherText.target }),
  ];
}

function writeRaster(writing: SldWriteContext, symbolizer: RasterSymbolizer): Content {
  const { channelSelection, overlapBehavior, colorMap, contrastEnhancement, shadedRelief, imageOutline } = symbolizer;
  return [
    writeOptionalParameter(writing, writing.toSymbolName('Opacity'), symbolizer.opacity),
    channelSelection && writeChannelSelection(writing, channelSelection),
    overlapBehavior && writeOverlapBehavior(writing, overlapBehavior),
    colorMap && writeColorMap(writing, colorMap),
    contrastEnhancement && writeContrastEnhancement(writing, contrastEnhancement),
    shadedRelief && writeShadedRelief(writing, shadedRelief),
    imageOutline && createElement(writing.toSymbolName('ImageOutline'), [writeSymbolizer(writing, imageOutline, 0)]),
  ];
}
