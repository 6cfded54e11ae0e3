/** Makes an SLD apply to a layer: map services compare the names of its layers with those of the map. */
import { encodeXml, readXml, type XmlElement } from './xml-tree.ts';

/** Returns the text with the name of the layer in its first layer, unless one has that name already. */
export function nameLayer(sld: string, layer: string): string {
  const root = readXml(sld);
  const layers = root?.children.filter(({ name }) => name === 'NamedLayer' || name === 'UserLayer') ?? [];
  const local = layer.slice(layer.indexOf(':') + 1);
  const names = layers.map((each) => findName(each));
  const isNamed = names.some((name) => {
    const text = name === undefined ? '' : sld.slice(name.content.from, name.content.to).trim();
    return text === layer || text === local;
  });
  const [first] = layers;
  if (first === undefined || first.isSelfClosing || isNamed) return sld;
  const name = names[0];
  const written = encodeXml(layer);
  if (name === undefined) {
    const { to } = first.open;
    return `${sld.slice(0, to)}<${first.prefix}Name>${written}</${first.prefix}Name>${sld.slice(to)}`;
  }
  return `${sld.slice(0, name.from)}<${name.prefix}Name>${written}</${name.prefix}Name>${sld.slice(name.to)}`;
}

function findName(layer: XmlElement): XmlElement | undefined {
  return layer.children.find(({ name }) => name === 'Name');
}
