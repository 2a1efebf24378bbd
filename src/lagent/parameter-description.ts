/** Language of what a description says about writing arguments: Chinese as published in January 2024, English since then. */
export type Language = 'en' | 'zh'
export const DEFAULT_LANGUAGE: Language = 'zh'

/** JSON in Chinese has the commas of the published document; the code of that time has full-width ones. */
export const JSON_FORMAT: Readonly<Record<Language, string>> = {
  en: 'If you call this tool, you must pass arguments in the JSON format {key: value}, where the key is the parameter name.',
  zh: '如果调用该工具,你必须使用Json格式 {key: value} 传参,其中key为参数名称',
}

export const TUPLE_FORMAT: Readonly<Record<Language, string>> = {
  en: 'If you call this tool, you must pass arguments in the tuple format like (arg1, arg2, arg3), and the arguments are ordered.',
  zh: '如果调用该工具，你必须使用Tuple格式 (arg1, arg2, arg3) 传参，且参数是有序的',
}
