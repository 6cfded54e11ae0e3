/** Measures how long it takes to find the data rules of a layer and to bind their variables. */
import { DataRuleIndex, type IndexedRule } from '../src/security/data-rules/data-rule-index.ts';
import { percentile } from './percentile.ts';

export interface RuleIndexCost {
  /** For a principal that is new to the index. */
  readonly firstMicroseconds: number;
  readonly laterMicroseconds: number;
}

const PRINCIPALS = 1_000;
const RULES_PER_LAYER = 10;

export function measureRuleIndex(count: number): RuleIndexCost {
  const rules = Array.from({ length: count }, (_, index): IndexedRule => {
    const layer = Math.floor(index / RULES_PER_LAYER);
    return {
      name: `rule${index}`,
      layer: `land:layer${layer}`,
      roles: [index % RULES_PER_LAYER < 2 ? 'FIELD' : `OTHER${index}`],
      enabled: true,
      rows: 'dept = ${claim.dept} OR owner = ${user.name}',
      writeRows: null,
      attributes: { tax_no: 'hide' },
      area: null,
    };
  });
  const index = new DataRuleIndex(rules);
  const [first, later]: [number[], number[]] = [[], []];
  for (let at = 0; at < PRINCIPALS; at += 1) {
    const principal = { name: `user${at}`, roles: new Set(['FIELD']), claims: { dept: `dept${at % 7}` } };
    const layer = `layer${(at * 7) % (count / RULES_PER_LAYER)}`;
    for (const times of [first, later]) {
      const start = performance.now();
      index.findRestriction(principal, 'land', layer);
      times.push((performance.now() - start) * 1_000);
    }
  }
  return { firstMicroseconds: percentile(first, 0.5), laterMicroseconds: percentile(later, 0.5) };
}
