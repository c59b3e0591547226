import Groot

// Objects as values of a program's own types, which are Decodable.

extension ManagedObjectContext {
  /// An object as a value of a program's own type, whose keys are names of properties.
  ///
  /// ```swift
  /// struct Summary: Decodable {
  ///   let name: String
  ///   let born: Date?
  ///   let publisher: Int64?    // what identifies it
  ///   let powers: [PowerSummary]
  /// }
  /// let batman = try context.decode(Summary.self, from: hero)
  /// ```
  ///
  /// Values are exact, or refused. A member of a relationship is decoded as an object, or as the one
  /// attribute that identifies it. It ends on every graph: an object inside itself, or further
  /// away than the depth, has its identity alone, and is left out when it has none.
  ///
  /// - Parameters:
  ///   - type: The type that is made.
  ///   - object: The object, of this context.
  ///   - depth: How many steps along relationships objects are decoded in full; nil means no limit.
  ///   - userInfo: The user info of the decoder, for the type.
  /// - Throws: ``Status/missingValue``, ``Status/wrongType``; ``Status/limitExceeded`` for more
  ///   than 128 levels; ``Status/objectDeleted``; the error of the type is
  ///   ``GrootError/underlying``.
  public func decode<Content: Decodable>(
    _ type: Content.Type, from object: ManagedObject, depth: Int? = nil,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(GrootError) -> Content {
    try checkAccess()
    return try decode(type, from: object, DecodingRun(self, depth: depth), userInfo)
  }

  /// An object as a value of a program's own type.
  ///
  /// - Parameters:
  ///   - type: The type that is made.
  ///   - object: The object, of this context.
  ///   - depth: How many steps along relationships objects are decoded in full; nil means no limit.
  ///   - userInfo: The user info of the decoder, for the type.
  /// - Throws: as for an object without type.
  public func decode<Content: Decodable>(
    _ type: Content.Type, from object: some Entity, depth: Int? = nil,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(GrootError) -> Content {
    try decode(type, from: object.managedObject, depth: depth, userInfo: userInfo)
  }

  /// Objects as values of a program's own type, one each.
  ///
  /// - Parameters:
  ///   - type: The type that is made.
  ///   - objects: The objects, of this context.
  ///   - depth: How many steps along relationships objects are decoded in full; nil means no limit.
  ///   - userInfo: The user info of the decoder, for the type.
  /// - Throws: as for one object.
  public func decode<Content: Decodable>(
    _ type: Content.Type, from objects: some Sequence<ManagedObject>, depth: Int? = nil,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(GrootError) -> [Content] {
    try checkAccess()
    let run = DecodingRun(self, depth: depth)
    var contents: [Content] = []
    for object in objects { contents.append(try decode(type, from: object, run, userInfo)) }
    return contents
  }

  /// Objects as values of a program's own type, one each.
  ///
  /// - Parameters:
  ///   - type: The type that is made.
  ///   - objects: The objects, of this context.
  ///   - depth: How many steps along relationships objects are decoded in full; nil means no limit.
  ///   - userInfo: The user info of the decoder, for the type.
  /// - Throws: as for one object.
  public func decode<Content: Decodable, Object: Entity>(
    _ type: Content.Type, from objects: some Sequence<Object>, depth: Int? = nil,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(GrootError) -> [Content] {
    try decode(type, from: objects.map(\.managedObject), depth: depth, userInfo: userInfo)
  }

  private func decode<Content: Decodable>(
    _ type: Content.Type, from object: ManagedObject, _ run: DecodingRun,
    _ userInfo: [CodingUserInfoKey: Any]
  ) throws(GrootError) -> Content {
    try requireOwn(object)
    let entity = try entity(of: object.id).name
    do {
      let node = DecodedNode.object(try run.begin(object.id))
      return try NodeDecoder(node, userInfo: userInfo).content(type)
    } catch {
      throw GrootError(coding: error, entity: entity)
    }
  }
}

extension ManagedObject {
  /// The object as a value of a program's own type, whose keys are names of properties.
  ///
  /// - Throws: as ``ManagedObjectContext/decode(_:from:depth:userInfo:)``.
  public func decode<Content: Decodable>(
    as type: Content.Type = Content.self, depth: Int? = nil
  ) throws(GrootError) -> Content {
    try context.decode(type, from: self, depth: depth)
  }
}
