/** The order of texts by code points, which is that of databases; the order of JavaScript is by halves of surrogate pairs. */

export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return rankCodeUnit(one) - rankCodeUnit(other);
  }
  return a.length - b.length;
}

/** Halves of pairs stand for what comes after all that needs no pair. */
function rankCodeUnit(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
