/** The output formats of the WFS by their names. */
import { type OutputFormat, outputFormats } from '../../../formats/formats.ts';
import { vocabularies } from '../../../geometry/gml/version.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { isAmong } from '../../ows/format-names.ts';
import type { WfsSettings } from '../context/settings.ts';
import type { WfsVersion } from '../request/request.ts';
import type { FormatOptions } from './open-query.ts';

export interface WfsFormat extends FormatOptions {
  /** The first is the listed name; older versions list the second if it is a plain word. */
  readonly names: readonly [string, ...string[]];
  readonly format: OutputFormat;
  /** Whether counts precede the features. */
  readonly head: 'counts' | 'nothing';
  /** The namespace of a GML format. */
  readonly gml?: string;
}

const gml2: WfsFormat = {
  names: ['text/xml; subtype=gml/2.1.2', 'GML2'],
  format: outputFormats.gml2,
  gml: vocabularies['2.1.2'].gml,
  head: 'nothing',
  keepsMandatory: true,
};

const gml31: WfsFormat = {
  names: ['text/xml; subtype=gml/3.1.1', 'GML3'],
  format: outputFormats.gml31,
  gml: vocabularies['3.1.1'].gml,
  head: 'counts',
  keepsMandatory: true,
};

const gml32: WfsFormat = {
  names: ['application/gml+xml; version=3.2', 'gml32', 'text/xml; subtype=gml/3.2', 'text/xml; subtype=gml/3.2.1'],
  format: outputFormats.gml32,
  gml: vocabularies['3.2.1'].gml,
  head: 'counts',
  keepsMandatory: true,
};

const others = Object.values<OutputFormat>(outputFormats).flatMap((format): readonly WfsFormat[] =>
  format.wfsNames === undefined
    ? []
    : [{ names: [...format.wfsNames, ...(format.replaces?.wfsNames ?? [])], format, head: 'nothing' }],
);

const defaults: Readonly<Record<WfsVersion, WfsFormat>> = { '1.0.0': gml2, '1.1.0': gml31, '2.0.0': gml32 };

/** The default format of the version first. */
function listWfsFormats(version: WfsVersion): readonly WfsFormat[] {
  const usual = defaults[version];
  return [usual, ...[gml32, gml31, gml2].filter((each) => each !== usual), ...others];
}

/** Returns the listed names. */
export function listFormatNames(
  version: WfsVersion,
  settings: WfsSettings,
  isListed: (format: OutputFormat) => boolean = () => true,
): readonly string[] {
  const isOffered = createOfferFilter(settings);
  return listWfsFormats(version)
    .filter((each) => isOffered(each) && isListed(each.format))
    .flatMap(({ names }) => names.slice(0, 2));
}

export function selectOutputFormat(version: WfsVersion, name: string | undefined, settings: WfsSettings): WfsFormat {
  const isOffered = createOfferFilter(settings);
  const usual = defaults[version];
  const selected = name === undefined ? usual : listWfsFormats(version).find(({ names }) => isAmong(names, name));
  if (selected === undefined || !isOffered(selected)) {
    throw problem('ows-parameter-invalid', {
      parameter: 'outputFormat',
      value: name ?? usual.names[0],
      expected: `expected one of ${listFormatNames(version, settings).join(', ')}`,
      field: 'outputFormat',
    });
  }
  return selected;
}

/** Warns if the requested name is that of an unsupported format, in whose place the response has another. */
export function listFormatWarnings(name: string): readonly string[] {
  return Object.values<OutputFormat>(outputFormats).flatMap(({ replaces }) =>
    replaces !== undefined && isAmong(replaces.wfsNames, name) ? [replaces.warning] : [],
  );
}

/** A document in an older GML version than its schema would look valid but is not. */
export function checkSchema(format: WfsFormat, type: string, gml: string | undefined): void {
  if (format.gml === undefined || gml !== gml32.gml || format.gml === gml) return;
  const [wanted] = gml32.names;
  throw problem('ows-parameter-invalid', {
    parameter: 'outputFormat',
    value: format.names[0],
    expected: `'${type}' has a schema of GML 3.2; use version 2.0.0 or ${wanted}`,
    field: 'outputFormat',
  });
}

function createOfferFilter({ outputTypes }: WfsSettings): (format: WfsFormat) => boolean {
  return ({ names }) => outputTypes === undefined || outputTypes.some((each) => isAmong(names, each));
}
