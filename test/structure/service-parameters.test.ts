/** Parameters of OGC services are declared once, with a sentence each. */
import { describe, expect, it } from 'vitest';
import { describedApis, describedServices } from '../../src/services/described-services.ts';
import type { ParameterTable } from '../../src/services/ows/service-parameters.ts';
import { sourceFiles } from '../support/source-files.ts';

/** Their parameters are no parameters of an OGC service. */
const others = ['services/gwc/rest/', 'services/preview/'];

const tables: readonly (readonly [name: string, table: ParameterTable])[] = [
  ...describedServices.flatMap(({ name, operations }) =>
    operations.map((each) => [`${name} ${each.name}`, each.parameters] as const),
  ),
  ...describedApis.map(({ name, parameters }) => [name, parameters] as const),
];

describe('parameters of OGC services', () => {
  it('are not read by a literal name', async () => {
    const files = (await sourceFiles()).filter(
      ({ path }) => path.startsWith('services/') && !others.some((folder) => path.startsWith(folder)),
    );
    const readers = files.filter(({ code }) => /\b(?:parameters|[oO]ptions)\.(?:get|has)\('/.test(code));

    expect(files.length).toBeGreaterThan(100);
    expect(readers.map(({ path }) => path)).toEqual(legendOptions);
  });

  it.each(tables)('%s: every name is declared once and described in a sentence', (_service, parameters) => {
    const all = Object.values(parameters);
    const keys = all.flatMap((each) => each.keys);

    expect(keys).toEqual([...new Set(keys)]);
    expect(all.filter(({ description }) => !/^[A-Z].*\.$/.test(description)).map(({ name }) => name)).toEqual([]);
  });
});

/** Options of legends are no parameters; invalid ones are ignored. */
const legendOptions = ['services/wms/legend/legend-options.ts'];
