/** Reads the vendor options of labels. */
import type { Lengths } from '../../styling/legend/values/lengths.ts';
import { sampleNumber, sampleWord } from '../../styling/legend/values/sample-value.ts';
import type { VendorOption } from '../../styling/model/model.ts';

/** The vendor options of a label. Lengths are in pixels. */
export interface LabelOptions {
  readonly isAlone: boolean;
  readonly spaceAround: number;
  readonly maxDisplacement: number;
  /** The directions in which a label on a point or polygon is displaced, in the order to try; in radians from the east. */
  readonly displacementDirections: readonly number[];
  /** The length at which lines of text are broken; 0 for no limit. */
  readonly wrapAt: number;
  readonly followsLine: boolean;
  readonly maxAngleDelta: number;
  /** The distance between two labels on a line; 0 for a single label. */
  readonly repeat: number;
  /** Whether the edge of the map may cut off the label. */
  readonly isPartial: boolean;
  /** Whether equal labels of a rule are merged into one. */
  readonly isGrouped: boolean;
  readonly labelsAllOfGroup: boolean;
  /** Whether parts that several lines of a group have in common count once. */
  readonly removesOverlaps: boolean;
  /** The least distance between labels of the same text. */
  readonly minGroupDistance: number;
  /** Smaller letters are tried down to this size if there is no room; 0 to keep the size. */
  readonly minFontPixels: number;
  /** Whether the graphic is placed by its own anchor point, not centred on the text. */
  readonly isShieldIndependent: boolean;
  readonly readsLeftToRight: boolean;
  readonly mayOverrun: boolean;
  /** The share of a label that must be on its polygon, from 0 to 1. */
  readonly goodnessOfFit: number;
  readonly polygonAlign: 'none' | 'ortho' | 'mbr';
}

const DEFAULT_FIT = 0.5;
const DEFAULT_ANGLE_DELTA = 22.5;

/** Counterclockwise from the east, in steps of an eighth turn. */
const compass = ['e', 'ne', 'n', 'nw', 'w', 'sw', 's', 'se'];

export function readLabelOptions(options: readonly VendorOption[], lengths: Lengths): LabelOptions {
  const findOption = (name: string) => options.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value;
  const readFlag = (name: string, byDefault: boolean): boolean => {
    const word = sampleWord(findOption(name));
    return word === undefined ? byDefault : word === 'true' || word === 'yes';
  };
  const readLength = (name: string): number => sampleNumber(findOption(name), 0) * lengths.factor;
  const directions = (sampleWord(findOption('displacementMode')) ?? '')
    .split(/[\s,]+/)
    .map((name) => compass.indexOf(name));
  const known = directions.filter((index) => index >= 0);
  const align = sampleWord(findOption('polygonAlign'));
  return {
    isAlone: readFlag('conflictResolution', true),
    spaceAround: readLength('spaceAround'),
    maxDisplacement: Math.max(0, readLength('maxDisplacement')),
    displacementDirections: (known.length > 0 ? known : [...compass.keys()]).map((index) => (index * Math.PI) / 4),
    wrapAt: Math.max(0, readLength('autoWrap')),
    followsLine: readFlag('followLine', false),
    maxAngleDelta: (sampleNumber(findOption('maxAngleDelta'), DEFAULT_ANGLE_DELTA) * Math.PI) / 180,
    repeat: Math.max(0, readLength('repeat')),
    isPartial: readFlag('partials', false),
    isGrouped: readFlag('group', false),
    labelsAllOfGroup: readFlag('labelAllGroup', false),
    removesOverlaps: readFlag('removeOverlaps', false),
    minGroupDistance: Math.max(0, readLength('minGroupDistance')),
    minFontPixels: Math.max(0, readLength('fontShrinkSizeMin')),
    isShieldIndependent: sampleWord(findOption('graphicPlacement')) === 'independent',
    readsLeftToRight: readFlag('forceLeftToRight', true),
    mayOverrun: readFlag('allowOverruns', readFlag('allowOverrun', true)),
    goodnessOfFit: Math.min(1, Math.max(0, sampleNumber(findOption('goodnessOfFit'), DEFAULT_FIT))),
    polygonAlign: align === 'ortho' || align === 'mbr' ? align : 'none',
  };
}
