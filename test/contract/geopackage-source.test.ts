/** Runs the vector source contract over a GeoPackage that the driver created. */
import { openGeopackage } from '../support/geopackages.ts';
import { geopackageWithSquares } from './geopackage-with-squares.ts';
import { vectorSourceContract } from './vector-source.contract.ts';

vectorSourceContract('a GeoPackage', () => geopackageWithSquares(openGeopackage));
