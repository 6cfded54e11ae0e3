<?xml version='1.0' encoding='UTF-8'?>
<!-- Written by a program that knows only one prefix per namespace -->
<sld:StyledLayerDescriptor xmlns:sld="http://www.opengis.net/sld" xmlns:o="http://www.opengis.net/ogc" version="1.0.0">
	<sld:UserLayer>
		<sld:LayerFeatureConstraints>
			<sld:FeatureTypeConstraint/>
		</sld:LayerFeatureConstraints>
		<sld:UserStyle>
			<sld:Name>exported</sld:Name>
			<sld:Title/>
			<sld:FeatureTypeStyle>
				<sld:Name>group 0</sld:Name>
				<sld:FeatureTypeName>Feature</sld:FeatureTypeName>
				<sld:SemanticTypeIdentifier>generic:geometry</sld:SemanticTypeIdentifier>
				<sld:SemanticTypeIdentifier>simple</sld:SemanticTypeIdentifier>
				<sld:Rule>
					<sld:Name>rule01</sld:Name>
					<o:Filter>
						<o:PropertyIsNotEqualTo>
							<o:PropertyName>state</o:PropertyName>
							<o:Literal>closed</o:Literal>
						</o:PropertyIsNotEqualTo>
					</o:Filter>
					<sld:MaxScaleDenominator>5000.0</sld:MaxScaleDenominator>
					<sld:LineSymbolizer>
						<sld:Stroke>
							<sld:CssParameter name="stroke-width"><o:Literal>1.0</o:Literal></sld:CssParameter>
						</sld:Stroke>
					</sld:LineSymbolizer>
				</sld:Rule>
			</sld:FeatureTypeStyle>
		</sld:UserStyle>
	</sld:UserLayer>
</sld:StyledLayerDescriptor>
