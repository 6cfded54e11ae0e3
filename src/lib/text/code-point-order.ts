/** Compares texts by code points, like databases; JavaScript compares by UTF-16 units. */

export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return rankCodeUnit(one) - rankCodeUnit(other);
  }
  return a.length - b.length;
}

/** Surrogates rank after all other units, because they encode the highest code points. */
function rankCodeUnit(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
