/** A function of browser scripts that fits a map in Web Mercator to a box in degrees. */

/** Web Mercator ends at 85.06° north and south; the poles are infinitely far away. */
export const fitBoxFunction = `const fitBox = (map, box, maxZoom) => {
    const [west, south, east, north] = box.split(',').map(Number);
    const clamp = (latitude) => Math.max(-85.06, Math.min(85.06, latitude));
    const extent = ol.proj.transformExtent([west, clamp(south), east, clamp(north)], 'EPSG:4326', 'EPSG:3857');
    if (extent.every(Number.isFinite)) map.getView().fit(extent, { padding: [20, 20, 20, 20], maxZoom });
  };`;
