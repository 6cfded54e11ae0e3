/** The layers of a map as a text for its address. */
import type { LayerSpec } from '../../../../map/layer-map.ts';

export function createSpec(name: string): LayerSpec {
  return { name, opacity: 1, isVisible: true, filter: '', time: '' };
}

/** `city:roads~60,city:parks~100~off`: name, opacity in percent, and whether it is hidden. */
export function formatLayers(layers: readonly LayerSpec[]): string {
  return layers
    .map(({ name, opacity, isVisible }) =>
      [
        encodeName(name),
        ...(opacity < 1 || !isVisible ? [Math.round(opacity * 100)] : []),
        ...(isVisible ? [] : ['off']),
      ].join('~'),
    )
    .join(',');
}

export function parseLayers(text: string): readonly LayerSpec[] {
  const specs = text.split(',').flatMap((item): readonly LayerSpec[] => {
    const [name = '', percent = '100', hidden] = item.split('~');
    const opacity = Number(percent) / 100;
    if (name === '' || !(opacity >= 0 && opacity <= 1)) return [];
    return [{ ...createSpec(decodeName(name)), opacity, isVisible: hidden !== 'off' }];
  });
  return [...new Map(specs.map((spec) => [spec.name, spec])).values()];
}

/** Only the signs of the list itself are encoded, so that addresses stay readable. */
function encodeName(name: string): string {
  return name.replace(/[%~,]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function decodeName(name: string): string {
  return name.replace(/%(25|7e|2c)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
