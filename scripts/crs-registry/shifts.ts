/**
 * Shifts to WGS 84 that the list of EPSG codes has not, or has wrong; from the transformations published in the EPSG dataset.
 *
 * The list names a grid where there is one, writes rotations of the "coordinate frame" kind without turning their signs
 * and those in microradians as if they were arc seconds, and leaves the pivot out of transformations that have one.
 * These are all of the "position vector" kind: metres, arc seconds, parts per million.
 */
export const publishedShifts: Readonly<Record<string, readonly number[]>> = {
  // Only a grid in the list:
  // AGD84, transformation 1669 (Australia)
  'EPSG:4203': [-117.763, -51.51, 139.061, 0.292, 0.443, 0.277, -0.191],
  // Corrego Alegre 1970-72, transformation 6194 (Brazil)
  'EPSG:4225': [-206.05, 168.28, -3.82],
  // NAD27, transformation 1173 (contiguous United States)
  'EPSG:4267': [-8, 160, 176],
  // NZGD49, transformation 1564 (New Zealand)
  'EPSG:4272': [59.47, -5.04, 187.44, 0.47, -0.1, 1.024, -4.5993],
  // OSGB36, transformation 1314 (Great Britain)
  'EPSG:4277': [446.448, -125.157, 542.06, 0.15, 0.247, 0.842, -20.489],
  // DHDN, transformation 1777 (western Germany)
  'EPSG:4314': [598.1, 73.7, 418.2, 0.202, 0.045, -2.455, 6.7],
  // RD/83, transformation 15868
  'EPSG:4745': [612.4, 77, 440.2, -0.054, 0.057, -2.797, 2.55],
  // PD/83, transformation 15867
  'EPSG:4746': [599.4, 72.4, 419.2, -0.062, -0.022, -2.723, 6.46],

  // None in the list at all:
  // Old Hawaiian, transformation 15824
  'EPSG:4135': [61, -285, -181],
  // Lao 1997, transformation 1065
  'EPSG:4678': [44.585, -131.212, -39.544],

  // Rotations of the other kind or in other units:
  // HD1909, transformation 3817
  'EPSG:3819': [595.48, 121.69, 515.35, 4.115, -2.9383, 0.853, -3.408],
  // KKJ, transformation 10099
  'EPSG:4123': [-96.062, -82.428, -121.753, 4.801, 0.345, -1.376, 1.496],
  // RT90, transformation 1896
  'EPSG:4124': [414.1, 41.3, 603.1, -0.855, 2.141, -7.023, 0],
  // Tete, transformation 1300
  'EPSG:4127': [-73.472, -51.66, -112.482, 0.953, 4.6, -2.368, 0.586],
  // EST92, transformation 1333
  'EPSG:4133': [0.055, -0.541, -0.185, 0.0183, -0.0003, -0.007, -0.014],
  // Israel 1993, transformation 9676
  'EPSG:4141': [23.772, 17.49, 17.859, -0.3132, -1.85274, 1.67299, -5.4262],
  // Pulkovo 1942(58), transformation 15995
  'EPSG:4179': [2.329, -147.042, -92.08, -0.309, 0.325, 0.497, 5.69],
  // Albanian 1987, transformation 7833
  'EPSG:4191': [-44.183, -0.58, -38.489, 2.3867, 2.7072, -3.5196, -8.2703],
  // Pulkovo 1995, transformation 5043
  'EPSG:4200': [24.47, -130.89, -81.56, 0, 0, 0.13, -0.22],
  // AGD66, transformation 15980
  'EPSG:4202': [-117.808, -51.536, 137.784, 0.303, 0.446, 0.234, -0.29],
  // Lisbon, transformation 1988
  'EPSG:4207': [-288.885, -91.744, 126.244, -1.691, 0.41, -0.211, -4.598],
  // Bermuda 1957, transformation 15970
  'EPSG:4216': [-292.295, 248.758, 429.447, 4.9971, 2.99, 6.6906, 1.0289],
  // ED87, transformation 3905
  'EPSG:4231': [-83.11, -97.38, -117.22, 0.005693, -0.044698, 0.044285, 0.1218],
  // ID74, transformation 1833
  'EPSG:4238': [-1.977, -13.06, -9.993, 0.364, 0.254, 0.689, -1.037],
  // JAD69, transformation 15927
  'EPSG:4242': [-33.722, 153.789, 94.959, -8.581, -4.478, 4.54, 8.95],
  // Datum 73, transformation 1987
  'EPSG:4274': [-239.749, 88.181, 30.488, 0.263, 0.082, 1.211, 2.229],
  // Pulkovo 1942, transformation 15865
  'EPSG:4284': [25, -141, -78.5, 0, 0.35, 0.736, 0],
  // Amersfoort, transformation 4833
  'EPSG:4289': [565.4171, 50.3319, 465.5524, -0.398957, 0.343988, -1.877402, 4.0725],
  // BD72, transformation 15929
  'EPSG:4313': [-106.8686, 52.2978, -103.7239, 0.3366, -0.457, 1.8422, -1.2747],
  // KUDAMS, transformation 1062
  'EPSG:4319': [226.702, -193.337, -35.371, -2.229, -4.391, 9.238, 0.9798],
  // Hong Kong 1980, transformation 1825
  'EPSG:4611': [-162.619, -276.959, -161.764, 0.067753, -2.243648, -1.158828, -1.094246],
  // NAD83(CSRS), transformation 1842
  'EPSG:4617': [0, 0, 0],
  // Helle 1954, transformation 1957
  'EPSG:4660': [982.6087, 552.753, -540.873, 6.681627, -31.611492, -19.848161, 16.805],
  // Porto Santo 1995, transformation 1967
  'EPSG:4663': [-210.502, -66.902, -48.476, 2.094, -15.067, -5.817, 0.485],
  // Azores Oriental 1995, transformation 1971
  'EPSG:4664': [-208.719, 129.685, 52.092, -0.195, -0.014, 0.327, 0.198],
  // Azores Central 1995, transformation 1981
  'EPSG:4665': [-103.088, 162.481, -28.276, 0.167, 0.082, 0.168, -1.504],
  // Lisbon 1890, transformation 1990
  'EPSG:4666': [631.392, -66.551, 481.442, 1.09, -4.445, -4.487, -4.43],
  // Chatham Islands 1979, transformation 1081
  'EPSG:4673': [174.05, -25.49, 112.57, 0, 0, 0.554, 0.2263],
  // PRS92, transformation 15708
  'EPSG:4683': [-127.62, -67.24, -47.04, -3.068, 4.903, 1.578, -1.06],
  // GCGD59, transformation 6142
  'EPSG:4723': [-179.483, -69.379, -27.584, -7.862, 8.163, 6.042, -13.925],
  // SIGD61, transformation 6143
  'EPSG:4726': [8.853, -52.644, 180.304, -0.393, -2.323, 2.96, -24.081],
  // VN-2000, transformation 6960
  'EPSG:4756': [-191.904414, -39.303183, -111.450328, 0.009288, -0.019755, 0.004274, 0.252906],
  // S-JTSK/05, transformation 5227
  'EPSG:5228': [572.213, 85.334, 461.94, 4.9732, 1.529, 5.2484, 3.5378],
  // SLD99, transformation 5236
  'EPSG:5233': [-0.293, 766.95, 87.713, 0.195704, 1.695068, 3.473016, -0.039338],
  // DB_REF, transformation 5826
  'EPSG:5681': [584.9636, 107.7175, 413.8067, 1.1155, 0.2824, -3.1384, 7.9922],
  // CGRS93, transformation 7720
  'EPSG:6311': [8.846, -4.394, -1.122, -0.00237, -0.146528, 0.130428, 0.783926],
  // S-JTSK [JTSK03], transformation 8368
  'EPSG:8351': [485.021, 169.465, 483.839, 7.786342, 4.397554, 4.102655, 0],
  // Camacupa 2015, transformation 8882
  'EPSG:8694': [-93.799, -132.737, -219.073, -1.844, 0.648, -6.37, -0.169],
  // KSA-GRF17, transformation 9383: a rate of change, nothing at its epoch
  'EPSG:9333': [0, 0, 0],

  // About a pivot, here turned into the same movement about the centre of the Earth:
  // Korean 1985, transformation 5191
  'EPSG:4162': [-114.62, 475.963, 675.0183, 1.162, -2.347, -1.592, 6.342],
  // LUREF, transformation 5486
  'EPSG:4181': [-189.6806, 18.3463, -42.7695, -0.33746, -3.09264, 2.53861, 0.4598],
  // Egypt 1907, transformation 7697
  'EPSG:4229': [-78.9779, -50.7953, -1.4922, -1.603747, 0.153612, 5.364408, 5.33745],
  // La Canoa, transformation 1096
  'EPSG:4247': [-197.4328, 139.3852, -192.8019, 5.266, 1.238, -2.381, -5.109],
  // Katanga 1955, transformation 4068
  'EPSG:4695': [-85.9999, -236.891, -296.5104, 3.976, 0.002, 6.203, 12.315],
  // Macao 1920, transformation 8438
  'EPSG:8428': [-163.6129, -315.8033, -193.9586, 34.079, -76.126, -32.66, 6.096],
};
