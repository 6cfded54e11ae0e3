/** The responses of the classification service. */
import type { ServiceCall } from '../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import { createClassStyle } from '../../styling/classification/class-rules.ts';
import { classificationMethods } from '../../styling/classification/classes.ts';
import { createColors } from '../../styling/classification/color-ramps.ts';
import { buildRules, buildStyle, formatJson, formatXml } from '../../styling/classification/write-classes.ts';
import type { ColorMapEntry } from '../../styling/model/color-map.ts';
import { createLiteral, type Rule } from '../../styling/model/model.ts';
import { createElement, createTextElement, type OutputElement } from '../../styling/sld/write/output.ts';
import type { ValueType } from '../../vector/port/port.ts';
import { openMapAccess } from '../access/map-access.ts';
import { openCoverage } from '../access/open-coverage.ts';
import { openType } from '../access/open-type.ts';
import type { MapLayer } from '../access/published-map.ts';
import type { MapServices } from '../maps/map-services.ts';
import { readParameters } from '../ows/parameters.ts';
import { addUnknownWarnings, createParameterProblem, readParameter } from '../ows/service-parameters.ts';
import { classifyLayer } from './classify-layer.ts';
import { classifyOperation, rasterizeOperation } from './parameters.ts';
import { readRamp } from './read-ramp.ts';

export type ClassificationCall = ServiceCall<MapServices, { readonly layer?: string }>;

/** The extension of the path; undefined to negotiate the format. */
export type Extension = 'xml' | 'json' | 'sld' | undefined;

export async function classify(call: ClassificationCall, extension: Extension): Promise<ServiceReply> {
  const parameters = readParameters(call.rawQuery);
  const layer = await findLayer(call);
  const { rules, warnings } = await classifyLayer(call.services, layer, parameters, call.signal());
  const isFull = extension === 'sld' || readParameter(parameters, classifyOperation.parameters.fullSLD);
  const root = isFull ? buildStyle(createClassStyle(layer.qualifiedName, rules)) : buildRules(rules);
  const maxAgeSeconds = readParameter(parameters, classifyOperation.parameters.cache);
  return addUnknownWarnings(
    { ...formatReply(call, root, extension), warnings, maxAgeSeconds },
    classifyOperation,
    parameters,
  );
}

/** Multiples of larger spans are no longer finite numbers. */
const MAX_SPAN = 1e300;

/** Creates a colour map without reading data. */
export async function rasterize(call: ClassificationCall, extension: Extension): Promise<ServiceReply> {
  const { parameters: declared } = rasterizeOperation;
  const parameters = readParameters(call.rawQuery);
  const layer = await findLayer(call);
  const [min, max] = [readParameter(parameters, declared.min), readParameter(parameters, declared.max)];
  if (min >= max) throw createParameterProblem(declared.max.name, String(max), `a number above min (${min})`);
  if (max - min > MAX_SPAN)
    throw createParameterProblem(declared.max.name, String(max), `a number at most ${MAX_SPAN} above min (${min})`);
  const rule = createColorMapRule({
    min,
    max,
    digits: readParameter(parameters, declared.digits),
    type: readParameter(parameters, declared.type),
    colors: createColors(readRamp(parameters, declared), readParameter(parameters, declared.classes)),
  });
  const root = buildStyle(createClassStyle(layer.qualifiedName, [rule]));
  const maxAgeSeconds = readParameter(parameters, declared.cache);
  return addUnknownWarnings({ ...formatReply(call, root, extension), maxAgeSeconds }, rasterizeOperation, parameters);
}

interface WantedColorMap {
  readonly min: number;
  readonly max: number;
  readonly digits: number;
  readonly type: 'RAMP' | 'INTERVALS' | 'VALUES';
  readonly colors: readonly string[];
}

/** Values below the minimum are transparent. Intervals end at their quantity; the others begin and end at an entry. */
function createColorMapRule({ min, max, digits, type, colors }: WantedColorMap): Rule {
  const isInterval = type === 'INTERVALS';
  const steps = isInterval ? colors.length : Math.max(1, colors.length - 1);
  const entries = colors.map((color, index): ColorMapEntry => {
    const quantity = min + ((index + (isInterval ? 1 : 0)) * (max - min)) / steps;
    return {
      color: createLiteral(color),
      quantity: createLiteral(String(quantity)),
      label: quantity.toFixed(digits),
    };
  });
  const below: ColorMapEntry = {
    color: createLiteral(colors[0] ?? '#000000'),
    quantity: createLiteral(String(isInterval ? min : min - (max - min) * 1e-9)),
    opacity: createLiteral('0'),
  };
  const kind = { RAMP: 'ramp', INTERVALS: 'intervals', VALUES: 'values' } as const;
  const all = type === 'VALUES' ? entries : [below, ...entries];
  return {
    kind: 'rule',
    symbolizers: [{ kind: 'rasterSymbolizer', colorMap: { kind: 'entries', type: kind[type], entries: all } }],
  };
}

const typeNames: Readonly<Record<ValueType, string>> = {
  string: 'String',
  boolean: 'Boolean',
  short: 'Short',
  integer: 'Integer',
  long: 'Long',
  float: 'Float',
  double: 'Double',
  decimal: 'BigDecimal',
  date: 'Date',
  time: 'Time',
  timestamp: 'Timestamp',
  bytes: 'byte[]',
  uuid: 'UUID',
};

export async function attributes(call: ClassificationCall, extension: Extension): Promise<ServiceReply> {
  const layer = await findLayer(call);
  const listed = (await listAttributes(call, layer)).map(({ name, type }) =>
    createElement('Attribute', [createTextElement('name', name), createTextElement('type', type)]),
  );
  return formatReply(call, createElement('Attributes', listed, { layer: layer.name }), extension);
}

async function listAttributes({ services, signal }: ClassificationCall, layer: MapLayer) {
  if (layer.type !== undefined) {
    const opened = await openType(services.vectorData, layer.type, signal());
    try {
      return opened.description.attributes.map((each) => ({
        name: each.name,
        type: each.kind === 'geometry' ? each.type : typeNames[each.type],
      }));
    } finally {
      opened.release();
    }
  }
  const coverage = await openCoverage(services, layer);
  if (coverage === undefined)
    throw problem('classification-layer-unsuitable', {
      name: layer.qualifiedName,
      reason: 'it comes from another server',
    });
  return coverage.bands.map(({ name, publishedName }) => ({ name: publishedName ?? name, type: 'Double' }));
}

export async function capabilities(call: ClassificationCall, extension: Extension): Promise<ServiceReply> {
  if (call.params.layer !== undefined) await findLayer(call);
  const list = (methods: readonly string[]) =>
    createElement(
      'classifications',
      methods.map((each) => createTextElement('classification', each)),
    );
  const vector = classificationMethods;
  const raster = classificationMethods.filter((each) => each !== 'standardDeviation');
  if (selectFormat(call, extension ?? 'json') === 'json') {
    const body = { capabilities: { vector: { classifications: vector }, raster: { classifications: raster } } };
    return { contentType: 'application/json', body: JSON.stringify(body) };
  }
  const root = createElement('capabilities', [
    createElement('vector', [list(vector)]),
    createElement('raster', [list(raster)]),
  ]);
  return formatReply(call, root, 'xml');
}

async function findLayer({ services, principal, params }: ClassificationCall): Promise<MapLayer> {
  const { layer: name = '' } = params;
  const access = await openMapAccess(services, {
    principal,
    place: {},
    service: 'wms',
    operation: 'GetMap',
    // The path is below /rest.
    tokenScope: 'rest',
  });
  const found = await access.find(name, 'read');
  if (found === undefined) throw problem('classification-layer-unknown', { name });
  if (found.kind === 'group')
    throw problem('classification-layer-unsuitable', { name: found.qualifiedName, reason: 'it is a layer group' });
  return found;
}

function formatReply(
  call: Pick<ClassificationCall, 'headers'>,
  root: OutputElement,
  extension: Extension,
): Pick<ServiceReply, 'contentType' | 'body'> {
  const format = selectFormat(call, extension);
  if (format === 'json') return { contentType: 'application/json', body: formatJson(root) };
  return {
    contentType: extension === 'sld' ? 'application/vnd.ogc.sld+xml' : 'application/xml',
    body: formatXml(root),
  };
}

/** XML by default, as in other servers. */
function selectFormat({ headers }: Pick<ClassificationCall, 'headers'>, extension: Extension): 'xml' | 'json' {
  if (extension !== undefined) return extension === 'json' ? 'json' : 'xml';
  const accept = headers.accept ?? '';
  return accept.includes('application/json') && !accept.includes('xml') ? 'json' : 'xml';
}
