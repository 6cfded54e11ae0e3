/** The grammar of each version, and its expressions. */
import type { SldVersion } from '../document/sld-version.ts';
import type { Grammar } from './content.ts';
import { commonExpressions, symbologyFunctions } from './names.ts';
import { sld10Grammar } from './sld-1-0.ts';
import { sld11Grammar } from './sld-1-1.ts';

const expressions10: ReadonlySet<string> = new Set(commonExpressions);
const expressions11: ReadonlySet<string> = new Set([...commonExpressions, ...symbologyFunctions]);

export function getGrammar(version: SldVersion): Grammar {
  return version === '1.0.0' ? sld10Grammar : sld11Grammar;
}

/** Returns the names of the expression elements. */
export function getExpressionNames(version: SldVersion): ReadonlySet<string> {
  return version === '1.0.0' ? expressions10 : expressions11;
}

export function getOtherVersion(version: SldVersion): SldVersion {
  return version === '1.0.0' ? '1.1.0' : '1.0.0';
}
