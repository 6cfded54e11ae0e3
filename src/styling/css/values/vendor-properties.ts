/** Properties that become vendor options, with their names in SLD. */
import {
  allowNone,
  createChoiceKind,
  createTermsKind,
  flag,
  length,
  number,
  readLengthTerm,
  size,
  text,
  type ValueKind,
  wholeNumber,
} from './value-kind.ts';

export interface VendorProperty {
  readonly property: string;
  readonly option: string;
  readonly kind: ValueKind;
}

const createVendorProperty = (property: string, option: string, kind: ValueKind): VendorProperty => ({
  property,
  option,
  kind,
});

const margin = createTermsKind('a list of one to four lengths', [1, 2, 3, 4], readLengthTerm);
const inclusion = createChoiceKind('normal', 'legendOnly', 'mapOnly');

/** Options of text symbolizers. */
export const labelOptions: readonly VendorProperty[] = [
  createVendorProperty('label-padding', 'spaceAround', length),
  createVendorProperty('label-group', 'group', flag),
  createVendorProperty('label-max-displacement', 'maxDisplacement', size),
  createVendorProperty('label-min-group-distance', 'minGroupDistance', length),
  createVendorProperty('label-repeat', 'repeat', size),
  createVendorProperty('label-all-group', 'labelAllGroup', flag),
  createVendorProperty('label-remove-overlaps', 'removeOverlaps', flag),
  createVendorProperty('label-allow-overruns', 'allowOverruns', flag),
  createVendorProperty('label-follow-line', 'followLine', flag),
  createVendorProperty('label-max-angle-delta', 'maxAngleDelta', number),
  createVendorProperty('label-auto-wrap', 'autoWrap', size),
  createVendorProperty('label-force-ltr', 'forceLeftToRight', flag),
  createVendorProperty('label-conflict-resolution', 'conflictResolution', flag),
  createVendorProperty('label-fit-goodness', 'goodnessOfFit', number),
  createVendorProperty('label-kerning', 'kerning', flag),
  createVendorProperty('label-polygon-align', 'polygonAlign', createChoiceKind('manual', 'ortho', 'mbr', 'none')),
  createVendorProperty('label-underline-text', 'underlineText', flag),
  createVendorProperty('label-strikethrough-text', 'strikethroughText', flag),
  createVendorProperty('label-char-spacing', 'charSpacing', length),
  createVendorProperty('label-word-spacing', 'wordSpacing', length),
  createVendorProperty('label-partials', 'partials', flag),
  createVendorProperty('label-displacement-mode', 'displacementMode', text),
  createVendorProperty('label-graphic-placement', 'graphicPlacement', createChoiceKind('label', 'independent')),
  createVendorProperty('label-inclusion', 'inclusion', inclusion),
  createVendorProperty('font-variation', 'font-variation', text),
  createVendorProperty('font-shrink-size-min', 'fontShrinkSizeMin', size),
  createVendorProperty('shield-resize', 'graphic-resize', allowNone(createChoiceKind('stretch', 'proportional'))),
  createVendorProperty('shield-margin', 'graphic-margin', margin),
];

/** Options of polygon symbolizers. */
export const fillOptions: readonly VendorProperty[] = [
  createVendorProperty('fill-label-obstacle', 'labelObstacle', flag),
  createVendorProperty('fill-inclusion', 'inclusion', inclusion),
  createVendorProperty('fill-random', 'random', allowNone(createChoiceKind('grid', 'free'))),
  createVendorProperty('fill-random-seed', 'random-seed', wholeNumber),
  createVendorProperty('fill-random-rotation', 'random-rotation', createChoiceKind('none', 'free')),
  createVendorProperty('fill-random-symbol-count', 'random-symbol-count', wholeNumber),
  createVendorProperty('fill-random-tile-size', 'random-tile-size', size),
  createVendorProperty('fill-random-space-around', 'random-space-around', size),
  createVendorProperty('graphic-margin', 'graphic-margin', margin),
];

/** Options of line symbolizers. */
export const strokeOptions: readonly VendorProperty[] = [
  createVendorProperty('stroke-label-obstacle', 'labelObstacle', flag),
  createVendorProperty('stroke-inclusion', 'inclusion', inclusion),
];

/** Options of point symbolizers. */
export const markOptions: readonly VendorProperty[] = [
  createVendorProperty('mark-label-obstacle', 'labelObstacle', flag),
  createVendorProperty('mark-inclusion', 'inclusion', inclusion),
  createVendorProperty('mark-fallback-on-default', 'fallbackOnDefaultMark', flag),
];

/** Options of raster symbolizers. */
export const rasterOptions: readonly VendorProperty[] = [
  createVendorProperty('raster-label-obstacle', 'labelObstacle', flag),
  createVendorProperty('raster-inclusion', 'inclusion', inclusion),
  createVendorProperty(
    'raster-label-in-feature-info',
    'labelInFeatureInfo',
    allowNone(createChoiceKind('add', 'replace')),
  ),
  createVendorProperty('raster-label-attribute-name', 'labelAttributeName', text),
];

/** Options of the contrast enhancement of a raster. */
export const contrastOptions: readonly VendorProperty[] = [
  createVendorProperty('rce-algorithm', 'algorithm', text),
  createVendorProperty('rce-min-value', 'minValue', number),
  createVendorProperty('rce-max-value', 'maxValue', number),
  createVendorProperty('rce-normalization-factor', 'normalizationFactor', number),
  createVendorProperty('rce-correction-factor', 'correctionFactor', number),
];

/** `random-seed` and similar properties are also accepted without `fill-`. */
export const vendorProperties: readonly (readonly [string, ValueKind])[] = [
  ...labelOptions,
  ...fillOptions,
  ...strokeOptions,
  ...markOptions,
  ...rasterOptions,
  ...contrastOptions,
].flatMap(({ property, kind }) => [
  [property, kind] as const,
  ...(property.startsWith('fill-random') ? [[property.slice('fill-'.length), kind] as const] : []),
]);
