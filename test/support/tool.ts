import type { INode, INodeParameters, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';

/** How n8n names a node that is a tool of an agent, and what a model reads of it. */
export function toolOf({ description: own }: INodeType, chosen: INodeParameters) {
	const description = {
		...own,
		name: `${own.name}Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
	};
	const { properties } = description;
	const parameters = NodeHelpers.getNodeParameters(
		properties,
		chosen,
		true,
		false,
		null,
		description,
	)!;
	const node = { parameters } as INode;
	return {
		name: NodeHelpers.makeNodeName(parameters, description),
		description: NodeHelpers.getToolDescriptionForNode(node, { description } as INodeType),
	};
}
