/** Writes fills, strokes and graphics. */
import type {
  ExternalGraphic,
  ExternalMark,
  Fill,
  Graphic,
  GraphicSource,
  GraphicStroke,
  Mark,
  Point,
  Stroke,
} from '../../model/paint.ts';
import { sldNamespace } from '../document/namespaces.ts';
import {
  writeFunctionElement,
  writeNamedList,
  writeNamedParameter,
  writeOptionalParameter,
  writeParameter,
  writeVendorOptions,
} from './expression.ts';
import { writeForeignElement } from './foreign.ts';
import { createElement, createOptionalText, createTextElement, type OutputElement } from './output.ts';
import type { SldWriteContext } from './write-context.ts';

export function writeFill(writing: SldWriteContext, fill: Fill, name = writing.toSymbolName('Fill')): OutputElement {
  return createElement(name, [
    fill.graphicFill && createElement(writing.toSymbolName('GraphicFill'), [writeGraphic(writing, fill.graphicFill)]),
    writeNamedParameter(writing, 'fill', fill.color),
    writeNamedParameter(writing, 'fill-opacity', fill.opacity),
  ]);
}

export function writeStroke(writing: SldWriteContext, stroke: Stroke): OutputElement {
  return createElement(writing.toSymbolName('Stroke'), [
    stroke.graphicFill &&
      createElement(writing.toSymbolName('GraphicFill'), [writeGraphic(writing, stroke.graphicFill)]),
    stroke.graphicStroke && writeGraphicStroke(writing, stroke.graphicStroke),
    writeNamedParameter(writing, 'stroke', stroke.color),
    writeNamedParameter(writing, 'stroke-opacity', stroke.opacity),
    writeNamedParameter(writing, 'stroke-width', stroke.width),
    writeNamedParameter(writing, 'stroke-linejoin', stroke.lineJoin),
    writeNamedParameter(writing, 'stroke-linecap', stroke.lineCap),
    writeNamedList(writing, 'stroke-dasharray', stroke.dashArray),
    writeNamedParameter(writing, 'stroke-dashoffset', stroke.dashOffset),
  ]);
}

function writeGraphicStroke(writing: SldWriteContext, stroke: GraphicStroke): OutputElement {
  const { graphic, initialGap, gap, perpendicularOffset } = stroke;
  if (!writing.isSymbologyEncoding && (initialGap !== undefined || gap !== undefined))
    writing.reportLoss('the spacing of graphics along a line (InitialGap, Gap)');
  if (!writing.isSymbologyEncoding && perpendicularOffset !== undefined)
    writing.reportLoss('the distance of graphics from a line (PerpendicularOffset)');
  return createElement(writing.toSymbolName('GraphicStroke'), [
    writeGraphic(writing, graphic),
    writeOptionalParameter(writing, 'se:InitialGap', initialGap),
    writeOptionalParameter(writing, 'se:Gap', gap),
    writeOptionalParameter(writing, 'se:PerpendicularOffset', perpendicularOffset),
  ]);
}

export function writeGraphic(writing: SldWriteContext, graphic: Graphic): OutputElement {
  return createElement(writing.toSymbolName('Graphic'), [
    ...graphic.symbols.map((symbol) =>
      symbol.kind === 'mark' ? writeMark(writing, symbol) : writeExternalGraphic(writing, symbol),
    ),
    writeOptionalParameter(writing, writing.toSymbolName('Opacity'), graphic.opacity),
    writeOptionalParameter(writing, writing.toSymbolName('Size'), graphic.size),
    writeOptionalParameter(writing, writing.toSymbolName('Rotation'), graphic.rotation),
    graphic.anchorPoint && writeAnchorPoint(writing, graphic.anchorPoint),
    graphic.displacement && writeDisplacement(writing, graphic.displacement),
    ...(graphic.parameters ?? []).map(({ name, value }) => writeNamedParameter(writing, name, value)),
    ...writeVendorOptions(writing, graphic.vendorOptions),
  ]);
}

export function writeAnchorPoint(writing: SldWriteContext, { x, y }: Point): OutputElement {
  return createElement(writing.toSymbolName('AnchorPoint'), [
    writeParameter(writing, writing.toSymbolName('AnchorPointX'), x),
    writeParameter(writing, writing.toSymbolName('AnchorPointY'), y),
  ]);
}

export function writeDisplacement(writing: SldWriteContext, { x, y }: Point): OutputElement {
  return createElement(writing.toSymbolName('Displacement'), [
    writeParameter(writing, writing.toSymbolName('DisplacementX'), x),
    writeParameter(writing, writing.toSymbolName('DisplacementY'), y),
  ]);
}

function writeMark(writing: SldWriteContext, mark: Mark): OutputElement {
  if (mark.externalMark !== undefined && !writing.isSymbologyEncoding)
    writing.reportLoss('a Mark with an external shape');
  return createElement(writing.toSymbolName('Mark'), [
    writeOptionalParameter(writing, writing.toSymbolName('WellKnownName'), mark.wellKnownName),
    ...(mark.externalMark === undefined ? [] : writeExternalMark(writing, mark.externalMark)),
    mark.fill && writeFill(writing, mark.fill),
    mark.stroke && writeStroke(writing, mark.stroke),
  ]);
}

function writeExternalMark(
  writing: SldWriteContext,
  { source, format, index }: ExternalMark,
): readonly OutputElement[] {
  const markIndex = createOptionalText('se:MarkIndex', index);
  return [
    writeSource(writing, source),
    createTextElement('se:Format', format),
    ...(markIndex === undefined ? [] : [markIndex]),
  ];
}

function writeExternalGraphic(writing: SldWriteContext, graphic: ExternalGraphic): OutputElement {
  const replacements = graphic.colorReplacements ?? [];
  if (replacements.length > 0 && !writing.isSymbologyEncoding)
    writing.reportLoss('the replacement of colours in an ExternalGraphic (ColorReplacement)');
  return createElement(writing.toSymbolName('ExternalGraphic'), [
    writeSource(writing, graphic.source),
    createTextElement(writing.toSymbolName('Format'), graphic.format),
    ...replacements.map((replacement) => {
      const recode = replacement.name === 'Recode' ? writeFunctionElement(writing, replacement) : undefined;
      if (recode === undefined) writing.reportLoss('a ColorReplacement other than Recode with pairs of values');
      return createElement('se:ColorReplacement', [recode]);
    }),
  ]);
}

function writeSource(writing: SldWriteContext, source: GraphicSource): OutputElement {
  switch (source.kind) {
    case 'online':
      return writeOnlineResource(writing, source.href);
    case 'inlineBase64':
      return createTextElement(writing.toSymbolName('InlineContent'), source.base64, { encoding: 'base64' });
    case 'inlineXml':
      return createElement(writing.toSymbolName('InlineContent'), [writeForeignElement(source.element, sldNamespace)], {
        encoding: 'xml',
      });
  }
}

export function writeOnlineResource(writing: SldWriteContext, href: string): OutputElement {
  return createElement(writing.toSymbolName('OnlineResource'), [], { 'xlink:type': 'simple', 'xlink:href': href });
}
