<?xml version="1.0"?>
<sld:UserStyle xmlns:sld="http://www.opengis.net/sld"><!--? the document is a 'sld:UserStyle': it is read as the style of an unnamed layer -->
  <sld:Name>rivers</sld:Name>
  <sld:Title>Rivers</sld:Title>
  <sld:FeatureTypeStyle>
    <sld:Rule>
      <sld:LineSymbolizer/>
    </sld:Rule>
  </sld:FeatureTypeStyle>
</sld:UserStyle>
