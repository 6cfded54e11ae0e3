/** Fills the parameters of SVG symbols, such as `fill="param(fill) #f00"`, from the query of their address. */

/** Colours, numbers and words are shorter; longer values are truncated. */
const MAX_VALUE_CHARACTERS = 100;

const parameter = /param\(\s*([\w.-]+)\s*\)(?:[ \t]*([^"';<>]*))?/g;

/** Returns the text with values instead of parameters: that of the address, else the default beside it, else a usual one. */
export function fillSvgParameters(text: string, href: string): string {
  if (!text.includes('param(')) return text;
  const values = new URLSearchParams(/\?([^#]*)/.exec(href)?.[1] ?? '');
  return text.replace(parameter, (_, name: string, byDefault: string | undefined) => {
    const value = values.get(name)?.slice(0, MAX_VALUE_CHARACTERS);
    if (value !== undefined && isPlainValue(value)) return value;
    return byDefault?.trim() || getUsualValue(name);
  });
}

/** Colours, numbers and words; nothing that could end an attribute or refer to another document. */
function isPlainValue(value: string): boolean {
  return /^[#\w.,%\s-]*(?:\([\d.,%\s]*\))?$/.test(value) && !/^\s*url/i.test(value);
}

function getUsualValue(name: string): string {
  if (/width/i.test(name)) return '0';
  return /opacity|alpha/i.test(name) ? '1' : '#000000';
}
