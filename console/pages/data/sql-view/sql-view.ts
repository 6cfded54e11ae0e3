/** The document of a layer that is a query. */

export interface SqlParameter {
  readonly defaultValue: string;
  /** The regular expression that values must match. */
  readonly pattern: string;
}

interface SqlView {
  readonly name: string;
  readonly sql: string;
  /** Column names, separated by commas. */
  readonly key: string;
  readonly geometry: string;
  readonly geometryType: string;
  readonly srid: string;
  readonly parameters: readonly ({ readonly name: string } & SqlParameter)[];
}

/** Returns the names between percent signs, in the order of the query. */
export function listParameters(sql: string): readonly string[] {
  return [...new Set([...sql.matchAll(/%([A-Za-z_][\w-]*)%/g)].map(([, name = '']) => name))];
}

export function createSqlView(view: SqlView) {
  const { name, sql, key, geometry, geometryType, srid, parameters } = view;
  const keys = key.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
  const virtualTable = {
    name,
    sql,
    escapeSql: false,
    ...(keys.length === 0 ? {} : { keyColumn: keys }),
    ...(geometry === ''
      ? {}
      : { geometry: { name: geometry, type: geometryType, srid: srid === '' ? -1 : Number(srid) } }),
    ...(parameters.length === 0
      ? {}
      : {
          parameter: parameters.map(({ name: parameter, defaultValue, pattern }) => ({
            name: parameter,
            defaultValue,
            regexpValidator: pattern,
          })),
        }),
  };
  return {
    featureType: {
      name,
      nativeName: name,
      metadata: { entry: [{ '@key': 'JDBC_VIRTUAL_TABLE', virtualTable }] },
    },
  };
}
