import type { LagentAction } from './action.ts'

/**
 * Lagent's own words, as its actions describe themselves at 0.5.0rc3: clients and recorded prompts know them by these. What
 * is odd in them (`query` of `search` and `select_ids` are lists, `open_url` says nothing) is odd there.
 */
export const LAGENT_ACTIONS: readonly LagentAction[] = [
  {
    name: 'ArxivSearch',
    isToolkit: true,
    description:
      'Search information from Arxiv.org. Useful for when you need to answer questions about Physics, Mathematics, Computer Science, Quantitative Biology, Quantitative Finance, Statistics, Electrical Engineering, and Economics from scientific articles on arxiv.org.',
    apis: [
      {
        name: 'get_arxiv_article_information',
        tool: 'arxiv_search',
        answer: 'json',
        failsAsHttp: true,
        description: 'Run Arxiv search and get the article meta information.',
        parameters: [{ name: 'query', type: 'STRING', description: 'the content of search query', required: true }],
        returned: [{ name: 'content', description: 'a list of 3 arxiv search papers', type: 'STRING' }],
      },
    ],
  },
  {
    name: 'BINGMap',
    isToolkit: true,
    description: 'BING Map plugin for looking up map information.',
    apis: [
      {
        name: 'get_distance',
        tool: 'map_distance',
        answer: 'json',
        description: 'Get the distance between two locations in km.',
        parameters: [
          { name: 'start', type: 'STRING', description: 'The start location', required: true },
          { name: 'end', type: 'STRING', description: 'The end location', required: true },
        ],
        returned: [{ name: 'distance', description: 'the distance in km.', type: 'STRING' }],
      },
      {
        name: 'get_route',
        tool: 'map_route',
        answer: 'json',
        description: 'Get the route between two locations in km.',
        parameters: [
          { name: 'start', type: 'STRING', description: 'The start location', required: true },
          { name: 'end', type: 'STRING', description: 'The end location', required: true },
        ],
        returned: [{ name: 'route', description: 'the route, a list of actions.', type: 'Array' }],
      },
      {
        name: 'get_coordinates',
        tool: 'map_coordinates',
        answer: 'json',
        description: 'Get the coordinates of a location.',
        parameters: [
          { name: 'location', type: 'STRING', description: 'the location need to get coordinates.', required: true },
        ],
        returned: [
          { name: 'latitude', description: 'the latitude of the location.', type: 'FLOAT' },
          { name: 'longitude', description: 'the longitude of the location.', type: 'FLOAT' },
        ],
      },
      {
        name: 'search_nearby',
        tool: 'map_nearby',
        answer: 'json',
        description:
          'Search for places nearby a location, within a given radius, and return the results into a list. You can use either the places name or the latitude and longitude.',
        parameters: [
          { name: 'search_term', type: 'STRING', description: 'the place name.', required: true },
          { name: 'places', type: 'STRING', description: "the name of the location. Defaults to ``'unknown'``." },
          { name: 'latitude', type: 'FLOAT', description: 'the latitude of the location. Defaults to ``0.0``.' },
          { name: 'longitude', type: 'FLOAT', description: 'the longitude of the location. Defaults to ``0.0``.' },
          { name: 'radius', type: 'NUMBER', description: 'radius in meters. Defaults to ``5000``.' },
        ],
        returned: [
          {
            name: 'places',
            description: 'the list of places, each place is a dict with name and address, at most 5 places.',
            type: 'Array',
          },
        ],
      },
    ],
  },
  {
    name: 'GoogleScholar',
    isToolkit: true,
    description: 'Plugin for google scholar search.',
    apis: [
      {
        name: 'search_google_scholar',
        tool: 'scholar_articles',
        answer: 'json',
        failsAsHttp: true,
        description: 'Search for scholarly articles based on a query according to the google scholar.',
        parameters: [
          { name: 'query', type: 'STRING', description: 'The query to search for.', required: true },
          {
            name: 'cites',
            type: 'STRING',
            description: 'The unique ID of an article for triggering "Cited By" searches.',
          },
          {
            name: 'as_ylo',
            type: 'NUMBER',
            description:
              'The starting year for results (e.g., if as_ylo=2018, results before this year will be omitted).',
          },
          {
            name: 'as_yhi',
            type: 'NUMBER',
            description: 'The ending year for results (e.g., if as_yhi=2018, results after this year will be omitted).',
          },
          {
            name: 'scisbd',
            type: 'NUMBER',
            description:
              'Defines articles added in the last year, sorted by date. It can be set to 1 to include only abstracts, or 2 to include everything.',
          },
          {
            name: 'cluster',
            type: 'STRING',
            description: 'The unique ID of an article for triggering "All Versions" searches.',
          },
          { name: 'hl', type: 'STRING', description: 'The language to use for the Google Scholar search.' },
          { name: 'lr', type: 'STRING', description: 'One or multiple languages to limit the search to.' },
          {
            name: 'start',
            type: 'NUMBER',
            description: 'The result offset for pagination (0 is the first page of results, 10 is the 2nd page, etc.)',
          },
          { name: 'num', type: 'NUMBER', description: 'The maximum number of results to return, limited to 20.' },
          { name: 'as_sdt', type: 'STRING', description: 'Can be used either as a search type or a filter.' },
          { name: 'safe', type: 'STRING', description: 'The level of filtering for adult content.' },
          {
            name: 'filter',
            type: 'STRING',
            description: "Defines if the filters for 'Similar Results' and 'Omitted Results' are on or off.",
          },
          { name: 'as_vis', type: 'STRING', description: 'Defines whether to include citations or not.' },
        ],
        returned: [
          { name: 'title', description: 'a list of the titles of the three selected papers' },
          { name: 'cited_by', description: 'a list of the citation numbers of the three selected papers' },
          { name: 'organic_id', description: "a list of the organic results' ids of the three selected papers" },
          { name: 'pub_info', description: 'publication information of selected papers' },
        ],
      },
      {
        name: 'get_author_information',
        tool: 'scholar_author',
        answer: 'json',
        failsAsHttp: true,
        description: "Search for an author's information by author's id provided by get_author_id.",
        parameters: [
          { name: 'author_id', type: 'STRING', description: 'Required. The ID of an author.', required: true },
          {
            name: 'hl',
            type: 'STRING',
            description: "The language to use for the Google Scholar Author search. Default is 'en'.",
          },
          { name: 'view_op', type: 'STRING', description: 'Used for viewing specific parts of a page.' },
          { name: 'sort', type: 'STRING', description: 'Used for sorting and refining articles.' },
          { name: 'citation_id', type: 'STRING', description: 'Used for retrieving individual article citation.' },
          { name: 'start', type: 'NUMBER', description: 'Defines the result offset. Default is 0.' },
          { name: 'num', type: 'NUMBER', description: 'Defines the number of results to return. Default is 20.' },
          {
            name: 'no_cache',
            type: 'BOOLEAN',
            description:
              'Forces SerpApi to fetch the results even if a cached version is already present. Default is False.',
          },
          {
            name: 'async_req',
            type: 'BOOLEAN',
            description: 'Defines the way you want to submit your search to SerpApi. Default is False.',
          },
          { name: 'output', type: 'STRING', description: "Defines the final output you want. Default is 'json'." },
        ],
        returned: [
          { name: 'name', description: "author's name" },
          { name: 'affliation', description: 'the affliation of the author' },
          { name: 'articles', description: 'at most 3 articles by the author' },
          { name: 'website', description: "the author's homepage url" },
        ],
      },
      {
        name: 'get_citation_format',
        tool: 'scholar_citation',
        answer: 'text',
        failsAsHttp: true,
        description:
          "Function to get MLA citation format by an identification of organic_result's id provided by search_google_scholar.",
        parameters: [
          {
            name: 'q',
            type: 'STRING',
            description: 'ID of an individual Google Scholar organic search result.',
            required: true,
          },
          {
            name: 'no_cache',
            type: 'BOOLEAN',
            description:
              'If set to True, will force SerpApi to fetch the Google Scholar Cite results even if a cached version is already present. Defaults to None.',
          },
          {
            name: 'async_',
            type: 'BOOLEAN',
            description: 'If set to True, will submit search to SerpApi and retrieve results later. Defaults to None.',
          },
          {
            name: 'output',
            type: 'STRING',
            description:
              "Final output format. Set to 'json' to get a structured JSON of the results, or 'html' to get the raw html retrieved. Defaults to 'json'.",
          },
        ],
        returned: [
          { name: 'authors', description: 'the authors of the article' },
          { name: 'citation', description: 'the citation format of the article' },
        ],
      },
      {
        name: 'get_author_id',
        tool: 'scholar_author_id',
        answer: 'json',
        failsAsHttp: true,
        description: "The getAuthorId function is used to get the author's id by his or her name.",
        parameters: [
          {
            name: 'mauthors',
            type: 'STRING',
            description: 'Defines the author you want to search for.',
            required: true,
          },
          {
            name: 'hl',
            type: 'STRING',
            description:
              "Defines the language to use for the Google Scholar Profiles search. It's a two-letter language code. (e.g., 'en' for English, 'es' for Spanish, or 'fr' for French). Defaults to 'en'.",
          },
          {
            name: 'after_author',
            type: 'STRING',
            description:
              'Defines the next page token. It is used for retrieving the next page results. The parameter has the precedence over before_author parameter. Defaults to None.',
          },
          {
            name: 'before_author',
            type: 'STRING',
            description:
              'Defines the previous page token. It is used for retrieving the previous page results. Defaults to None.',
          },
          {
            name: 'no_cache',
            type: 'BOOLEAN',
            description:
              'Will force SerpApi to fetch the Google Scholar Profiles results even if a cached version is already present. Defaults to False.',
          },
          {
            name: '_async',
            type: 'BOOLEAN',
            description: 'Defines the way you want to submit your search to SerpApi. Defaults to False.',
          },
          {
            name: 'output',
            type: 'STRING',
            description:
              "Defines the final output you want. It can be set to 'json' (default) to get a structured JSON of the results, or 'html' to get the raw html retrieved. Defaults to 'json'.",
          },
        ],
        returned: [{ name: 'author_id', description: 'the author_id of the author' }],
      },
    ],
  },
  {
    name: 'GoogleSearch',
    isToolkit: false,
    description:
      '一个可以从谷歌搜索结果的API。当你需要对于一个特定问题找到简短明了的回答时，可以使用它。输入应该是一个搜索查询。',
    apis: [
      {
        name: 'run',
        tool: 'google_snippets',
        answer: 'text',
        description:
          '一个可以从谷歌搜索结果的API。当你需要对于一个特定问题找到简短明了的回答时，可以使用它。输入应该是一个搜索查询。',
        parameters: [
          { name: 'query', type: 'STRING', description: 'the search content', required: true },
          { name: 'k', type: 'NUMBER', description: 'select first k results in the search results as response' },
        ],
      },
    ],
  },
  {
    name: 'IPythonInterpreter',
    isToolkit: false,
    description:
      "When you send a message containing Python code to python, it will be executed in a stateful Jupyter notebook environment. python will respond with the output of the execution or time out after 60.0 seconds. The drive at '/mnt/data' can be used to save and persist user files. Internet access for this session is disabled. Do not make external web requests or API calls as they will fail.",
    apis: [
      {
        name: 'run',
        tool: 'ipython_run',
        answer: 'items',
        argsAs: 'text',
        description:
          "When you send a message containing Python code to python, it will be executed in a stateful Jupyter notebook environment. python will respond with the output of the execution or time out after 60.0 seconds. The drive at '/mnt/data' can be used to save and persist user files. Internet access for this session is disabled. Do not make external web requests or API calls as they will fail.",
        parameters: [
          { name: 'command', type: 'STRING', description: 'Python code', required: true },
          { name: 'timeout', type: 'NUMBER', description: 'Upper bound of waiting time for Python script execution.' },
        ],
      },
    ],
  },
  {
    name: 'PPT',
    isToolkit: true,
    description: 'Plugin to create ppt slides with text, paragraph, images in good looking styles.',
    apis: [
      {
        name: 'create_file',
        tool: 'ppt_create_file',
        answer: 'json',
        description: 'Create a pptx file with specific themes.',
        parameters: [
          {
            name: 'theme',
            type: 'STRING',
            description: "the theme used. The value should be one of ['Default'].",
            required: true,
          },
          { name: 'abs_location', type: 'STRING', description: "the ppt file's absolute location", required: true },
        ],
        returned: [{ name: 'status', description: 'the result of the execution' }],
      },
      {
        name: 'add_first_page',
        tool: 'ppt_add_first_page',
        answer: 'json',
        description: 'Add the first page of ppt.',
        parameters: [
          { name: 'title', type: 'STRING', description: 'the title of ppt', required: true },
          { name: 'subtitle', type: 'STRING', description: 'the subtitle of ppt', required: true },
        ],
        returned: [{ name: 'status', description: 'the result of the execution' }],
      },
      {
        name: 'add_text_page',
        tool: 'ppt_add_text_page',
        answer: 'json',
        description: 'Add text page of ppt.',
        parameters: [
          { name: 'title', type: 'STRING', description: 'the title of the page', required: true },
          {
            name: 'bullet_items',
            type: 'STRING',
            description:
              'bullet_items should be string, for multiple bullet items, please use [SPAN] to separate them.',
            required: true,
          },
        ],
        returned: [{ name: 'status', description: 'the result of the execution' }],
      },
      {
        name: 'add_text_image_page',
        tool: 'ppt_add_text_image_page',
        answer: 'json',
        description: 'Add a text page with one image. Image should be a path.',
        parameters: [
          { name: 'title', type: 'STRING', description: 'the title of the page', required: true },
          {
            name: 'bullet_items',
            type: 'STRING',
            description:
              'bullet_items should be string, for multiple bullet items, please use [SPAN] to separate them.',
            required: true,
          },
          { name: 'image', type: 'STRING', description: 'the path of the image', required: true },
        ],
        returned: [{ name: 'status', description: 'the result of the execution' }],
      },
      {
        name: 'submit_file',
        tool: 'ppt_submit_file',
        answer: 'json',
        description: 'When all steps done, YOU MUST use submit_file() to submit your work.',
        parameters: [],
        returned: [{ name: 'status', description: 'the result of the execution' }],
      },
    ],
  },
  {
    name: 'PythonInterpreter',
    isToolkit: false,
    description:
      "用来执行Python代码。代码必须是一个函数，函数名必须得是 'solution'，代码对应你的思考过程。代码实例格式如下：\n\n```python\n# import 依赖包\nimport xxx\ndef solution():\n    # 初始化一些变量\n    variable_names_with_real_meaning = xxx\n    # 步骤一\n    mid_variable = func(variable_names_with_real_meaning)\n    # 步骤 x\n    mid_variable = func(mid_variable)\n    # 最后结果\n    final_answer =  func(mid_variable)\n    return final_answer\n```",
    apis: [
      {
        name: 'run',
        tool: 'python_solution',
        answer: 'text',
        argsAs: 'fence',
        description:
          "用来执行Python代码。代码必须是一个函数，函数名必须得是 'solution'，代码对应你的思考过程。代码实例格式如下：\n\n```python\n# import 依赖包\nimport xxx\ndef solution():\n    # 初始化一些变量\n    variable_names_with_real_meaning = xxx\n    # 步骤一\n    mid_variable = func(variable_names_with_real_meaning)\n    # 步骤 x\n    mid_variable = func(mid_variable)\n    # 最后结果\n    final_answer =  func(mid_variable)\n    return final_answer\n```",
        parameters: [{ name: 'command', type: 'STRING', description: 'Python code snippet', required: true }],
      },
    ],
  },
  {
    name: 'WebBrowser',
    isToolkit: true,
    description: 'Wrapper around the Web Browser Tool.',
    apis: [
      {
        name: 'search',
        tool: 'browser_search',
        answer: 'json',
        description: 'BING search API\nArgs:\n    query (List[str]): list of search query strings',
        parameters: [{ name: 'query', type: 'STRING', description: '', required: true }],
      },
      {
        name: 'select',
        tool: 'browser_select',
        answer: 'json',
        description: 'get the detailed content on the selected pages.',
        parameters: [
          {
            name: 'select_ids',
            type: 'NUMBER',
            description: 'list of index to select. Max number of index to be selected is no more than 4.',
            required: true,
          },
        ],
      },
      {
        name: 'open_url',
        tool: 'browser_open_url',
        answer: 'json',
        description: '',
        parameters: [{ name: 'url', type: 'STRING', description: '', required: true }],
      },
    ],
  },
]
