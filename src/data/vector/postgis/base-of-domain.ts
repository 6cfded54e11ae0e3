/** What a domain is made of in the end: domains can be made of domains, and any of them may forbid NULL. */

/** A subquery of one row with the `oid` and `modifier` of the base of a domain; of no row for any other type. */
export function baseOfDomain(type: string): string {
  return `(
    WITH RECURSIVE below AS (
      SELECT ${type}.typbasetype AS oid, ${type}.typtypmod AS modifier, ${type}.typnotnull AS is_required, 1 AS depth
      WHERE ${type}.typtype = 'd'
      UNION ALL
      SELECT d.typbasetype, d.typtypmod, d.typnotnull OR below.is_required, below.depth + 1
      FROM below JOIN pg_catalog.pg_type d ON d.oid = below.oid WHERE d.typtype = 'd'
    )
    SELECT oid, modifier, is_required FROM below ORDER BY depth DESC LIMIT 1
  )`;
}
