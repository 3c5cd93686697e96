import type { INodeProperties } from 'n8n-workflow';

/** A collection without what an operation does not have of it, and without the condition that says so. */
export function withoutHidden(property: INodeProperties, operation: string): INodeProperties {
	if (property.type !== 'collection') return property;
	const options = (property.options as INodeProperties[]).flatMap((option) => {
		const { '/operation': hidden, ...hide } = option.displayOptions?.hide ?? {};
		if (hidden?.includes(operation)) return [];
		return hidden ? [{ ...option, displayOptions: { ...option.displayOptions, hide } }] : [option];
	});
	return { ...property, options };
}
