/** Writes fonts, halos and label placements. */
import type { Font, Halo, LabelPlacement, LinePlacement } from '../../model/symbolizer.ts';
import { writeNamedParameter, writeOptionalParameter } from './expression.ts';
import { createElement, createOptionalText, type OutputElement } from './output.ts';
import { writeAnchorPoint, writeDisplacement, writeFill } from './paint.ts';
import type { SldWriteContext } from './write-context.ts';

export function writeFont(writing: SldWriteContext, font: Font): OutputElement {
  return createElement(writing.toSymbolName('Font'), [
    ...font.families.map((family) => writeNamedParameter(writing, 'font-family', family)),
    writeNamedParameter(writing, 'font-style', font.style),
    writeNamedParameter(writing, 'font-weight', font.weight),
    writeNamedParameter(writing, 'font-size', font.size),
  ]);
}

export function writeHalo(writing: SldWriteContext, halo: Halo): OutputElement {
  return createElement(writing.toSymbolName('Halo'), [
    writeOptionalParameter(writing, writing.toSymbolName('Radius'), halo.radius),
    halo.fill && writeFill(writing, halo.fill),
  ]);
}

export function writeLabelPlacement(writing: SldWriteContext, placement: LabelPlacement): OutputElement {
  const content =
    placement.kind === 'linePlacement'
      ? writeLinePlacement(writing, placement)
      : createElement(writing.toSymbolName('PointPlacement'), [
          placement.anchorPoint && writeAnchorPoint(writing, placement.anchorPoint),
          placement.displacement && writeDisplacement(writing, placement.displacement),
          writeOptionalParameter(writing, writing.toSymbolName('Rotation'), placement.rotation),
        ]);
  return createElement(writing.toSymbolName('LabelPlacement'), [content]);
}

function writeLinePlacement(writing: SldWriteContext, placement: LinePlacement): OutputElement {
  const { perpendicularOffset, isRepeated, initialGap, gap, isAligned, generalizeLine } = placement;
  const repetition = [isRepeated, initialGap, gap, isAligned, generalizeLine];
  if (!writing.isSymbologyEncoding && repetition.some((each) => each !== undefined))
    writing.reportLoss(
      'the repetition of labels along a line (IsRepeated, InitialGap, Gap, IsAligned, GeneralizeLine)',
    );
  return createElement(writing.toSymbolName('LinePlacement'), [
    writeOptionalParameter(writing, writing.toSymbolName('PerpendicularOffset'), perpendicularOffset),
    createOptionalText('se:IsRepeated', isRepeated),
    writeOptionalParameter(writing, 'se:InitialGap', initialGap),
    writeOptionalParameter(writing, 'se:Gap', gap),
    createOptionalText('se:IsAligned', isAligned),
    createOptionalText('se:GeneralizeLine', generalizeLine),
  ]);
}
