/** The descriptions of connection parameters match the drivers. */
import { expect, it } from 'vitest';
import { tableDrivers } from '../../vector/drivers.ts';
import { checkParameters } from '../../vector/port/parameters.ts';
import { connectionKinds } from './connection-kinds.ts';

const described = connectionKinds.filter(({ title }) => title !== 'WFS');

it.each(described.map((kind) => [kind.title, kind] as const))(
  '%s accepts its parameters with their defaults',
  (_, kind) => {
    const parameters = Object.fromEntries(
      Object.entries(kind.properties ?? {}).map(([name, field]) => [
        name,
        String(
          field.const ?? field.default ?? field.examples?.[0] ?? (name === 'schema_store' ? 'file:data/schemas' : 'x'),
        ),
      ]),
    );
    const driver = tableDrivers.find((each) => each.accepts(parameters));

    expect(driver).toBeDefined();
    if (driver !== undefined) expect(checkParameters(driver, parameters, { isStrict: true })).toEqual([]);
  },
);
