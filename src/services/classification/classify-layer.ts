/** Classifies the values of a layer and creates its rules. */
import type { Bounds } from '../../crs/bounds.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import {
  type ClassSymbols,
  type ColoredClass,
  createRasterRule,
  createVectorRules,
} from '../../styling/classification/class-rules.ts';
import { type ClassificationMethod, createRanges, type ValueClass } from '../../styling/classification/classes.ts';
import { createColors } from '../../styling/classification/color-ramps.ts';
import type { Rule } from '../../styling/model/styled-layer-descriptor.ts';
import { type OpenedCoverage, openCoverage } from '../access/open-coverage.ts';
import type { MapLayer } from '../access/published-map.ts';
import type { MapServices } from '../maps/map-services.ts';
import type { Parameters } from '../ows/parameters.ts';
import { createParameterProblem, readParameter, requireParameter } from '../ows/service-parameters.ts';
import { classifyOperation, MAX_SINGLE_VALUES } from './parameters.ts';
import { readRamp } from './read-ramp.ts';
import {
  type ClassifiedValues,
  type CountedValues,
  createTooManyProblem,
  type NumberValues,
  readCoverageValues,
  readFeatureValues,
  requireAttribute,
  type WantedValues,
} from './read-values.ts';

export interface ClassifiedLayer {
  readonly rules: readonly Rule[];
  readonly warnings: readonly string[];
}

const { parameters: declared } = classifyOperation;

const sampleWarning = 'The layer has very many values. The classes were computed from a sample of them.';

export async function classifyLayer(
  services: MapServices,
  layer: MapLayer,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<ClassifiedLayer> {
  return layer.type === undefined
    ? classifyCoverage(services, layer, parameters, signal)
    : classifyFeatures(services, layer, parameters, signal);
}

async function classifyFeatures(
  services: MapServices,
  layer: MapLayer,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<ClassifiedLayer> {
  const { type } = layer;
  if (type === undefined) throw createUnsuitableProblem(layer);
  const attribute = requireParameter(parameters, declared.attribute);
  const wanted = readWantedValues(parameters, attribute);
  const custom = readCustomClasses(parameters);
  if (custom !== undefined) await requireAttribute(services, type, wanted, signal);
  const values = custom ?? (await readFeatureValues(services, type, wanted, signal));
  const method = readParameter(parameters, declared.method);
  if (values === undefined)
    throw problem('classification-method-unsuitable', { method, attribute, field: 'attribute' });
  const result = await computeClasses(services, parameters, { wanted, values, signal });
  const symbols: ClassSymbols = {
    shape: selectShape(type.geometry?.type),
    strokeColor: readParameter(parameters, declared.strokeColor),
    strokeWeight: readParameter(parameters, declared.strokeWeight),
    pointSize: readParameter(parameters, declared.pointSize),
  };
  const rules = createVectorRules(attribute, result.classes, symbols, readDigits(parameters));
  return { rules, warnings: result.warnings };
}

async function classifyCoverage(
  services: MapServices,
  layer: MapLayer,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<ClassifiedLayer> {
  const coverage = await openCoverage(services, layer);
  if (coverage === undefined) throw createUnsuitableProblem(layer);
  const attribute = readParameter(parameters, declared.attribute) ?? '1';
  const band = findBand(coverage, attribute);
  const wanted = readWantedValues(parameters, attribute);
  const method = readParameter(parameters, declared.method);
  if (method === 'standardDeviation')
    throw createParameterProblem(declared.method.name, method, 'another method for a coverage');
  const custom = readCustomClasses(parameters);
  const values = custom ?? (await readCoverageValues(coverage, band, wanted.box, signal));
  if (values === undefined) throw createEmptyProblem(attribute);
  const result = await computeClasses(services, parameters, { wanted, values, signal });
  const rule = createRasterRule(result.classes, {
    isContinuous: readParameter(parameters, declared.continuous),
    digits: readDigits(parameters),
  });
  return { rules: [rule], warnings: result.warnings };
}

function readWantedValues(parameters: Parameters, attribute: string): WantedValues {
  const method = readParameter(parameters, declared.method);
  const limit = readParameter(parameters, declared.intervalsForUnique);
  return {
    attribute,
    box: toBounds(readParameter(parameters, declared.bbox)),
    viewParameters: readParameter(parameters, declared.viewparams)[0],
    purpose: selectPurpose(method),
    maxSingleValues: limit <= 0 ? MAX_SINGLE_VALUES : limit,
    classification: {
      method,
      intervals: readParameter(parameters, declared.intervals),
      isOpen: readParameter(parameters, declared.open),
      deviations: readParameter(parameters, declared.stddevs),
      hasShares: readParameter(parameters, declared.percentages),
    },
  };
}

function selectPurpose(method: ClassificationMethod): WantedValues['purpose'] {
  return method === 'uniqueInterval' ? 'single values' : method === 'equalArea' ? 'areas' : 'ranges';
}

interface CustomClasses {
  readonly kind: 'custom';
  readonly classes: readonly ColoredClass[];
}

/** A class with equal ends contains a single value. */
function readCustomClasses(parameters: Parameters): CustomClasses | undefined {
  const custom = readParameter(parameters, declared.customClasses);
  if (custom.length === 0) return undefined;
  const classes = custom.map(({ min, max, color }, index): ColoredClass => {
    const [range] = createRanges([min, max], false);
    const isSingle = min === max || range === undefined;
    return { color, class: isSingle ? { kind: 'value', value: min } : { ...range, includesMin: index === 0 } };
  });
  return { kind: 'custom', classes };
}

interface Computation {
  readonly wanted: WantedValues;
  readonly values: NumberValues | CountedValues | ClassifiedValues | CustomClasses;
  readonly signal: AbortSignal;
}

async function computeClasses(
  services: MapServices,
  parameters: Parameters,
  { wanted, values, signal }: Computation,
): Promise<{ readonly classes: readonly ColoredClass[]; readonly warnings: readonly string[] }> {
  if (values.kind === 'custom') return { classes: values.classes, warnings: [] };
  const classes = await selectClasses(services, { wanted, values, signal });
  if (classes.length === 0) throw createEmptyProblem(wanted.attribute);
  const colors = createColors(readRamp(parameters, declared), classes.length);
  return {
    classes: classes.map((each, index) => ({ class: each, color: colors[index] ?? '#000000' })),
    warnings: values.kind === 'numbers' && values.isSampled ? [sampleWarning] : [],
  };
}

async function selectClasses(
  services: MapServices,
  { wanted, values, signal }: Computation & { readonly values: NumberValues | CountedValues | ClassifiedValues },
): Promise<readonly ValueClass[]> {
  switch (values.kind) {
    case 'classes':
      return values.classes;
    case 'counted':
      return toSingleClasses(values);
    case 'numbers':
      return classifyNumbers(services, { wanted, values, signal });
  }
}

function toSingleClasses({ counts }: CountedValues): readonly ValueClass[] {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return counts.map(([value, count]) => ({ kind: 'value', value, share: count / total }));
}

async function classifyNumbers(
  services: MapServices,
  { wanted, values, signal }: Computation & { readonly values: NumberValues },
): Promise<readonly ValueClass[]> {
  const result = await services.styles.work.classify(
    {
      ...wanted.classification,
      maxSingleValues: wanted.maxSingleValues,
      data: values.data,
    },
    signal,
  );
  if ('tooManyValues' in result) throw createTooManyProblem(wanted);
  return result.classes;
}

function readDigits(parameters: Parameters): number | undefined {
  return readParameter(parameters, declared.percentages)
    ? readParameter(parameters, declared.percentagesScale)
    : undefined;
}

function toBounds(box: readonly [number, number, number, number] | undefined): Bounds | undefined {
  return box && { minX: box[0], minY: box[1], maxX: box[2], maxY: box[3] };
}

/** Geometries of any type are drawn as polygons, which also draws lines. */
function selectShape(type: string | undefined): ClassSymbols['shape'] {
  if (type === 'Point' || type === 'MultiPoint') return 'point';
  return type === 'LineString' || type === 'MultiLineString' ? 'line' : 'polygon';
}

/** Returns the position of a band, which is named by its number from 1 or by its name. */
function findBand({ bands }: OpenedCoverage, attribute: string): number {
  const number = /^\d{1,6}$/.test(attribute) ? Number(attribute) : 0;
  const place =
    number >= 1 && number <= bands.length
      ? number - 1
      : bands.findIndex(({ name, publishedName }) => name === attribute || publishedName === attribute);
  if (place < 0)
    throw problem('classification-attribute-unknown', {
      name: attribute,
      known: bands.map(({ name, publishedName }) => publishedName ?? name),
      field: 'attribute',
    });
  return place;
}

function createEmptyProblem(attribute: string): Problem {
  return problem('classification-empty', { attribute, field: 'attribute' });
}

function createUnsuitableProblem({ qualifiedName }: MapLayer): Problem {
  return problem('classification-layer-unsuitable', { name: qualifiedName, reason: 'it comes from another server' });
}
