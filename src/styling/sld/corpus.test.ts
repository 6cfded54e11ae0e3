import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compactJson } from '../../../test/support/compact-json.ts';
import { lossesIn } from '../../../test/support/styles.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { findColorMapEntries } from '../model/color-map.ts';
import type { StyledLayerDescriptor } from '../model/model.ts';
import type { SldVersion } from './document/sld-version.ts';
import { readSld } from './reader.ts';
import { writeSld } from './writer.ts';

const corpus = new URL('../../../test/styles/sld/', import.meta.url);

function documentsIn(folder: string): readonly (readonly [string, string])[] {
  const directory = new URL(`${folder}/`, corpus);
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sld'))
    .map((name) => [name.replace(/\.sld$/, ''), readFileSync(new URL(name, directory), 'utf8')] as const);
}

const accepted = documentsIn('accepted');
const broken = documentsIn('broken');
const forgiven = documentsIn('forgiven');

/** The documents that SLD 1.0.0 cannot express; all others can be written in both versions. */
const notInTheOlder = [
  'se-desktop-export',
  'se-external-mark',
  'se-label-repeated',
  'se-libraries',
  'se-line-gaps',
  'se-point',
  'se-replaced-colors',
];

test('the corpus has the required size', () => {
  expect(accepted.length).toBeGreaterThanOrEqual(45);
  expect(broken.length).toBeGreaterThanOrEqual(80);
  expect(forgiven.length).toBeGreaterThanOrEqual(60);
});

describe('valid style', () => {
  test.each(accepted)('%s has the expected model', async (name, text) => {
    const { version, model } = readSld(text);

    await expect(`${compactJson({ version, model })}\n`).toMatchFileSnapshot(
      new URL(`accepted/${name}.golden`, corpus).pathname,
    );
  });

  test.each(accepted)('%s is unchanged after a round trip in its own version', (_, text) => {
    const { version, model } = readSld(text);

    expect(readSld(writeSld(model, version))).toEqual({ version, model, warnings: [] });
  });

  test.each(accepted)('%s is accepted in strict handling', (_, text) => {
    expect(readSld(text, { strict: true })).toEqual(readSld(text));
    expect(readSld(text).warnings).toEqual([]);
  });

  test.each(accepted)('%s is equivalent in the other version, or its losses are listed', (name, text) => {
    const { version, model } = readSld(text);
    const other: SldVersion = version === '1.0.0' ? '1.1.0' : '1.0.0';

    if (notInTheOlder.includes(name)) {
      expect(lossesIn(model, other)).not.toEqual([]);
    } else {
      expect(lossesIn(model, other)).toEqual([]);
      expect(readSld(writeSld(model, other)).model).toEqual(other === '1.0.0' ? asInOlder(model) : model);
    }
  });
});

describe('style with tolerable deviations', () => {
  test.each(forgiven)('%s has the expected model', async (name, text) => {
    const { version, model } = readSld(text);

    await expect(`${compactJson({ version, model })}\n`).toMatchFileSnapshot(
      new URL(`forgiven/${name}.golden`, corpus).pathname,
    );
  });

  test.each(forgiven)('%s is accepted with a warning for each position', (_, text) => {
    const { warnings } = readSld(text);

    expect(warnings.map(placed)).toEqual(
      markersIn(text, '?').map((marker) => ({ ...marker, column: marker.column ?? expect.any(Number) })),
    );
    expect(warnings).not.toEqual([]);
  });

  test.each(forgiven)('%s is rejected in strict handling, for the same positions', (_, text) => {
    const places = complaintsOf(text, true).map(({ line }) => line);

    expect(places).toEqual(markersIn(text, '?').map(({ line }) => line));
  });

  test.each(forgiven)('%s is valid after it is written', (_, text) => {
    const { version, model } = readSld(text);

    expect(readSld(writeSld(model, version), { strict: true })).toEqual({ version, model, warnings: [] });
  });
});

/** Documents that are not styles; all others are rejected in lenient handling only if they are malformed. */
const notStyles = ['another-document', 'root-of-another-namespace'];

const rejected = broken.filter(
  ([name, text]) => problemOf(text, true).code === 'xml-malformed' || notStyles.includes(name),
);
const readable = broken.filter((document) => !rejected.includes(document));

describe('invalid style', () => {
  test.each(broken)('%s is rejected in strict handling with every error at its position', (_, text) => {
    expect(complaintsOf(text, true)).toEqual(
      markersIn(text, '!').map(({ line, column, message }) => ({
        line,
        column: column ?? expect.any(Number),
        message: expect.stringContaining(message),
      })),
    );
  });

  test.each(rejected)('%s is rejected in any handling', (_, text) => {
    expect(complaintsOf(text, true)).toEqual(complaintsOf(text, false));
  });

  test.each(readable)('%s is read with warnings in lenient handling', (_, text) => {
    const { model, warnings } = readSld(text);

    expect(warnings[0]).toMatch(/^Line \d+, column \d+: ./);
    expect(readSld(writeSld(model, '1.1.0')).model).toEqual(model);
  });

  test.each(broken.filter(([, text]) => problemOf(text, true).code === 'style-invalid'))(
    '%s is reported at the start of an element of that name',
    (_, text) => {
      const lines = text.split('\n');
      for (const { field, message } of problemOf(text, true).details.complaints ?? []) {
        const [, line, column] = /^line (\d+), column (\d+): /.exec(message) ?? [];
        const name = field.replace(/^.*\//, '').replace(/\[\d+\]$/, '');
        const place = lines[Number(line) - 1]?.slice(Number(column) - 1);

        expect(place).toMatch(new RegExp(`^<(?:\\w+:)?${name}[\\s/>]`));
      }
    },
  );

  test('lists all ten errors with their positions', () => {
    const [, text = ''] = broken.find(([name]) => name === 'ten-errors') ?? [];

    const problem = problemOf(text, true);

    expect(problem.status).toBe(400);
    expect(problem.details.complaints?.map(({ field }) => field)).toEqual([
      'StyledLayerDescriptor/NamedLayer/Naem',
      'StyledLayerDescriptor/NamedLayer/UserStyle/Name',
      'StyledLayerDescriptor/NamedLayer/UserStyle/IsDefault',
      'StyledLayerDescriptor/NamedLayer/UserStyle/FeatureTypeStyle/Rule/Filter/PropertyIsEqualTo',
      'StyledLayerDescriptor/NamedLayer/UserStyle/FeatureTypeStyle/Rule/MinScaleDenominator',
      'StyledLayerDescriptor/NamedLayer/UserStyle/FeatureTypeStyle/Rule/LineSymbolizer/Stroke/CssParameter[1]',
      'StyledLayerDescriptor/NamedLayer/UserStyle/FeatureTypeStyle/Rule/LineSymbolizer/Stroke/CssParameter[2]',
      'StyledLayerDescriptor/NamedLayer/UserStyle/FeatureTypeStyle/Rule/TextSymbolizer/Label/Property',
      'StyledLayerDescriptor/NamedLayer/UserStyle/FeatureTypeStyle/Rule/TextSymbolizer/Halo/Radius',
      'StyledLayerDescriptor/NamedLayer/UserStyle/FeatureTypeStyle/Rule/TextSymbolizer/VendorOption',
      'StyledLayerDescriptor/NamedLayer/UserStyle/FeatureTypeStyle/Rule/TextSymbolizer/VendorOption',
    ]);
  });
});

interface Complaint {
  readonly line: number;
  readonly column: number | undefined;
  readonly message: string;
}

/**
 * Returns the expected messages from comments in the documents, on the line of each error, with an optional column:
 * `<!--! message -->`, `<!--!15 message -->` for errors, `<!--? message -->` for warnings.
 */
function markersIn(text: string, mark: '!' | '?'): readonly Complaint[] {
  const marker = mark === '!' ? /<!--!(\d*) (.*?) -->/g : /<!--\?(\d*) (.*?) -->/g;
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(marker)].map(([, column = '', message = '']) => ({
      line: index + 1,
      column: column === '' ? undefined : Number(column),
      message,
    })),
  );
}

function complaintsOf(text: string, strict: boolean): readonly Complaint[] {
  const { code, details } = problemOf(text, strict);
  if (code === 'xml-malformed') {
    return [{ line: Number(details['line']), column: Number(details['column']), message: String(details['reason']) }];
  }
  return (details.complaints ?? []).map(({ message }) => placed(`${message}.`));
}

/** Parses a sentence that starts with its position. */
function placed(sentence: string): Complaint {
  const [, line, column, message = ''] = /^line (\d+), column (\d+): (.*)\.$/is.exec(sentence) ?? [];
  return { line: Number(line), column: Number(column), message };
}

function problemOf(text: string, strict: boolean): Problem {
  try {
    readSld(text, { strict });
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('The document was accepted.');
}

/** Converts a model to the subset of SLD 1.0.0, which has no coverage styles and no colour map functions. */
function asInOlder(model: StyledLayerDescriptor): unknown {
  return JSON.parse(JSON.stringify(model), (key, value: unknown) => {
    if (key === 'ofCoverages') return undefined;
    return key === 'colorMap' ? findColorMapEntries(value as Parameters<typeof findColorMapEntries>[0]) : value;
  });
}
