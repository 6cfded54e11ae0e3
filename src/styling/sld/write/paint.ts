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
import { sldNamespace } from '../namespaces.ts';
import {
  maybeParameter,
  writeFunctionElement,
  writeNamedList,
  writeNamedParameter,
  writeParameter,
  writeVendorOptions,
} from './expression.ts';
import { writeForeignElement } from './foreign.ts';
import { element, maybeText, type OutputElement, textElement } from './output.ts';
import type { Writing } from './writing.ts';

export function writeFill(writing: Writing, fill: Fill, name = writing.symbol('Fill')): OutputElement {
  return element(name, [
    fill.graphicFill && element(writing.symbol('GraphicFill'), [writeGraphic(writing, fill.graphicFill)]),
    writeNamedParameter(writing, 'fill', fill.color),
    writeNamedParameter(writing, 'fill-opacity', fill.opacity),
  ]);
}

export function writeStroke(writing: Writing, stroke: Stroke): OutputElement {
  return element(writing.symbol('Stroke'), [
    stroke.graphicFill && element(writing.symbol('GraphicFill'), [writeGraphic(writing, stroke.graphicFill)]),
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

function writeGraphicStroke(writing: Writing, stroke: GraphicStroke): OutputElement {
  const { graphic, initialGap, gap, perpendicularOffset } = stroke;
  if (!writing.isSymbologyEncoding && (initialGap !== undefined || gap !== undefined))
    writing.lose('how far apart the graphics of a GraphicStroke stand (InitialGap, Gap)');
  if (!writing.isSymbologyEncoding && perpendicularOffset !== undefined)
    writing.lose('how far from the line the graphics of a GraphicStroke stand (PerpendicularOffset)');
  return element(writing.symbol('GraphicStroke'), [
    writeGraphic(writing, graphic),
    maybeParameter(writing, 'se:InitialGap', initialGap),
    maybeParameter(writing, 'se:Gap', gap),
    maybeParameter(writing, 'se:PerpendicularOffset', perpendicularOffset),
  ]);
}

export function writeGraphic(writing: Writing, graphic: Graphic): OutputElement {
  return element(writing.symbol('Graphic'), [
    ...graphic.symbols.map((symbol) =>
      symbol.kind === 'mark' ? writeMark(writing, symbol) : writeExternalGraphic(writing, symbol),
    ),
    maybeParameter(writing, writing.symbol('Opacity'), graphic.opacity),
    maybeParameter(writing, writing.symbol('Size'), graphic.size),
    maybeParameter(writing, writing.symbol('Rotation'), graphic.rotation),
    graphic.anchorPoint && writeAnchorPoint(writing, graphic.anchorPoint),
    graphic.displacement && writeDisplacement(writing, graphic.displacement),
    ...(graphic.parameters ?? []).map(({ name, value }) => writeNamedParameter(writing, name, value)),
    ...writeVendorOptions(writing, graphic.vendorOptions),
  ]);
}

export function writeAnchorPoint(writing: Writing, { x, y }: Point): OutputElement {
  return element(writing.symbol('AnchorPoint'), [
    writeParameter(writing, writing.symbol('AnchorPointX'), x),
    writeParameter(writing, writing.symbol('AnchorPointY'), y),
  ]);
}

export function writeDisplacement(writing: Writing, { x, y }: Point): OutputElement {
  return element(writing.symbol('Displacement'), [
    writeParameter(writing, writing.symbol('DisplacementX'), x),
    writeParameter(writing, writing.symbol('DisplacementY'), y),
  ]);
}

function writeMark(writing: Writing, mark: Mark): OutputElement {
  if (mark.externalMark !== undefined && !writing.isSymbologyEncoding)
    writing.lose('a Mark whose shape comes from another resource');
  return element(writing.symbol('Mark'), [
    maybeParameter(writing, writing.symbol('WellKnownName'), mark.wellKnownName),
    ...(mark.externalMark === undefined ? [] : writeExternalMark(writing, mark.externalMark)),
    mark.fill && writeFill(writing, mark.fill),
    mark.stroke && writeStroke(writing, mark.stroke),
  ]);
}

function writeExternalMark(writing: Writing, { source, format, index }: ExternalMark): readonly OutputElement[] {
  const markIndex = maybeText('se:MarkIndex', index);
  return [
    writeSource(writing, source),
    textElement('se:Format', format),
    ...(markIndex === undefined ? [] : [markIndex]),
  ];
}

function writeExternalGraphic(writing: Writing, graphic: ExternalGraphic): OutputElement {
  const replacements = graphic.colorReplacements ?? [];
  if (replacements.length > 0 && !writing.isSymbologyEncoding)
    writing.lose('that colours of an ExternalGraphic are replaced (ColorReplacement)');
  return element(writing.symbol('ExternalGraphic'), [
    writeSource(writing, graphic.source),
    textElement(writing.symbol('Format'), graphic.format),
    ...replacements.map((replacement) => {
      const recode = replacement.name === 'Recode' ? writeFunctionElement(writing, replacement) : undefined;
      if (recode === undefined) writing.lose('a ColorReplacement other than Recode with pairs of values');
      return element('se:ColorReplacement', [recode]);
    }),
  ]);
}

function writeSource(writing: Writing, source: GraphicSource): OutputElement {
  switch (source.kind) {
    case 'online':
      return writeOnlineResource(writing, source.href);
    case 'inlineBase64':
      return textElement(writing.symbol('InlineContent'), source.base64, { encoding: 'base64' });
    case 'inlineXml':
      return element(writing.symbol('InlineContent'), [writeForeignElement(source.element, sldNamespace)], {
        encoding: 'xml',
      });
  }
}

export function writeOnlineResource(writing: Writing, href: string): OutputElement {
  return element(writing.symbol('OnlineResource'), [], { 'xlink:type': 'simple', 'xlink:href': href });
}
