/** The order of texts that every listing, database and filter has in common. */

/** By code points, as databases compare bytes of UTF-8: the halves of surrogate pairs come before U+E000, whole ones after. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (one !== other) return rankCodeUnit(one) - rankCodeUnit(other);
  }
  return left.length - right.length;
}

function rankCodeUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
