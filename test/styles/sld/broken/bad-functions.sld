<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>a</se:Name>
    <UserStyle>
      <se:Name>a_style</se:Name>
      <se:Description>
        <se:Title>b</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:PointSymbolizer>
            <se:Graphic>
              <se:Size>
                <se:Interpolate fallbackValue="1" mode="jumpy"><!--! the attribute 'mode' is 'jumpy', but linear, cosine or cubic was expected -->
                  <se:LookupValue><ogc:PropertyName>c</ogc:PropertyName></se:LookupValue>
                  <se:InterpolationPoint><!--! 'Value' is missing in InterpolationPoint -->
                    <se:Data>1</se:Data>
                  </se:InterpolationPoint>
                </se:Interpolate>
              </se:Size>
              <se:Rotation>
                <se:Recode fallbackValue="1"><!--! 'LookupValue' is missing in Recode --><!--! 'MapItem' is missing in Recode -->
                </se:Recode>
              </se:Rotation>
            </se:Graphic>
          </se:PointSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
