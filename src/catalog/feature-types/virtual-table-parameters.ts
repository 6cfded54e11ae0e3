/**
 * The parameters of a virtual table: `%name%` in its query is replaced by a value that a regular expression validates.
 */

import { compileLinearRegex } from '../../lib/linear-regex/linear-regex.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { findMemberText, listMembersNamed, type ValueTree } from '../../lib/values/value-tree.ts';

/** The metadata key of the virtual table. */
export const VIRTUAL_TABLE_KEY = 'JDBC_VIRTUAL_TABLE';

/** Limits the cost of parsing; hand-written queries are shorter. */
export const MAX_SQL_LENGTH = 100_000;

const virtualTableField = `featureType.metadata.${VIRTUAL_TABLE_KEY}`;

interface TableParameter {
  readonly name: string;
  readonly value: string;
}

/** Words and numbers only, so that a value cannot change the structure of the query. */
const DEFAULT_VALIDATOR = '^[\\w\\d\\s]+$';

/** Uses the client's value, by name in lower case, or the default. */
export function readTableParameter(tree: ValueTree, values: ReadonlyMap<string, string>): TableParameter {
  const name = findMemberText(tree, 'name');
  if (name === undefined || name.includes('%')) {
    throw createVirtualTableProblem('each parameter requires a name without a percent sign');
  }
  const [usual] = listMembersNamed(tree, 'defaultValue');
  const defaultValue = typeof usual === 'string' ? usual : '';
  const validator = compileLinearRegex(findMemberText(tree, 'regexpValidator') ?? DEFAULT_VALIDATOR, {
    what: `The validator of the parameter '${excerpt(name)}'`,
    field: virtualTableField,
  });
  if (defaultValue !== '' && !validator.matches(defaultValue)) {
    throw createVirtualTableProblem(
      `the default '${excerpt(defaultValue)}' of the parameter '${excerpt(name)}' does not match '${excerpt(validator.source)}'. Set a regexpValidator that allows it`,
    );
  }
  const given = values.get(name.toLowerCase());
  if (given !== undefined && !validator.matches(given)) {
    throw problem('ows-parameter-invalid', {
      parameter: 'viewparams',
      value: given,
      expected: `the value of '${excerpt(name)}' must match '${excerpt(validator.source)}'`,
      field: 'viewparams',
    });
  }
  return { name, value: given ?? defaultValue };
}

/**
 * Expands in one pass, so that a value that looks like a parameter stays a value; other percent signs stay unchanged.
 */
export function expandParameters(sql: string, parameters: readonly TableParameter[], escapes: boolean): string {
  const values = new Map(parameters.map(({ name, value }) => [name, value]));
  let expanded = '';
  let from = 0;
  while (values.size > 0) {
    const start = sql.indexOf('%', from);
    const end = start < 0 ? -1 : sql.indexOf('%', start + 1);
    if (end < 0) {
      break;
    }
    const value = values.get(sql.slice(start + 1, end));
    expanded += sql.slice(from, start) + (value === undefined ? sql.slice(start, end) : escapeQuotes(value, escapes));
    from = value === undefined ? end : end + 1;
    if (expanded.length > MAX_SQL_LENGTH) {
      throw createVirtualTableProblem(`its sql with expanded parameters exceeds ${MAX_SQL_LENGTH} characters`);
    }
  }
  return expanded + sql.slice(from);
}

function escapeQuotes(value: string, escapes: boolean): string {
  return escapes ? value.replaceAll(/['"]/g, '$&$&') : value;
}

export function createVirtualTableProblem(reason: string) {
  return problem('virtual-table-invalid', { reason, field: virtualTableField });
}
